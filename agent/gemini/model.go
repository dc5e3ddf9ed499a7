package gemini

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

// path is the path for asking a model. Names that do not fit in a URL are refused.
func path(model string) (string, error) {
	if model == "" || strings.ContainsAny(model, "?&#% ") || strings.Contains(model, "..") {
		return "", &agent.ProviderError{Kind: lifecycle.FailProvider, Message: fmt.Sprintf("Gemini: %q is not the name of a model", model)}
	}
	if !strings.HasPrefix(model, "models/") && !strings.HasPrefix(model, "tunedModels/") {
		model = "models/" + model
	}
	return "/v1beta/" + model + ":streamGenerateContent?alt=sse", nil
}

// generation is the number in a model's name: 2 for gemini-2.5-pro. Names without one, such as
// gemini-flash-latest, count as the newest. It is 0 for models that are not Gemini.
func generation(model string) int {
	name, ok := strings.CutPrefix(strings.TrimPrefix(model, "models/"), "gemini-")
	if !ok {
		return 0
	}
	digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && n <= newest {
		return n
	}
	return newest
}

const newest = 1000

// thinks reports whether a model thinks by itself and can show it. Asking others for their
// thoughts gives status 400. For unknown models it depends on the name.
func thinks(req agent.Request) bool {
	if req.Thinking != agent.Unknown {
		return req.Thinking == agent.Able
	}
	has := func(part string) bool { return strings.Contains(req.Model, part) }
	return !slices.ContainsFunc([]string{"lite", "image", "tts", "audio", "live"}, has) &&
		(generation(req.Model) >= 3 || has("gemini-2.5-pro") || has("gemini-2.5-flash"))
}
