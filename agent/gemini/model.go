package gemini

import (
	"fmt"
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
	n := 0
	for _, r := range name {
		if r < '0' || r > '9' {
			break
		}
		n = n*10 + int(r-'0')
	}
	if n == 0 || n > 1000 {
		return newest
	}
	return n
}

const newest = 1000

// thinks reports whether a model thinks by itself and can show it. Asking others for their
// thoughts gives status 400. For unknown models it depends on the name.
func thinks(req agent.Request) bool {
	switch model := req.Model; req.Thinking {
	case agent.Able:
		return true
	case agent.Unable:
		return false
	default:
		for _, kind := range []string{"lite", "image", "tts", "audio", "live"} {
			if strings.Contains(model, kind) {
				return false
			}
		}
		return generation(model) >= 3 || strings.Contains(model, "gemini-2.5-pro") || strings.Contains(model, "gemini-2.5-flash")
	}
}
