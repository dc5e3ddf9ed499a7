package anthropic

import (
	"net/http"
	"strconv"
	"strings"

	"pawl/agent"
)

// What a model that has to be told may spend on thinking, in tokens: at most what
// Anthropic's own examples give it, at least what the API takes, and never more
// than half of the answer, of which it is a part.
const (
	maxBudget = 16_000
	minBudget = 1024
)

// firstAdaptive is the generation of Claude that measures its thinking itself. Later
// ones refuse to be given a budget, earlier ones to be given none
// (platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting).
const firstAdaptive = 406

// interleaved lets the models that think by a budget think between tools as well.
// Later ones do so by themselves.
const interleaved = "interleaved-thinking-2025-05-14"

// thinking is the wish for it as it is on the wire.
type thinking struct {
	Type    string `json:"type"`
	Display string `json:"display,omitempty"`
	Budget  int64  `json:"budget_tokens,omitempty"`
}

// thinkingRequest is the wish for thinking, in the form that the model takes; none for a model
// that is not known to think. With it go no temperature and no tool that has to be
// called, which the API would refuse: Pawl sends neither.
func thinkingRequest(req agent.Request, r request) *thinking {
	if req.Thinking != agent.Able {
		return nil
	}
	if isClaude(req.Model) && generation(req.Model) >= firstAdaptive {
		// Since 4.7 they keep it to themselves unless they are asked for a summary.
		return &thinking{Type: "adaptive", Display: "summarized"}
	}
	tokens := min(maxBudget, r.MaxTokens/2)
	if tokens < minBudget || !beganThinking(r.Messages) {
		return nil
	}
	return &thinking{Type: "enabled", Budget: tokens}
}

// interleavedHeader asks that a model with a budget may think between its calls too. Other
// makers' models behind a compatible server are spared the header.
func interleavedHeader(r request) http.Header {
	if r.Thinking == nil || r.Thinking.Budget == 0 || len(r.Tools) == 0 || !isClaude(r.Model) || generation(r.Model) < 400 {
		return nil
	}
	return http.Header{"Anthropic-Beta": {interleaved}}
}

// beganThinking says whether the turn that goes on, all steps since a message
// without results, began with thinking. The API refuses a budget where it did not,
// because another provider's model began it or one that was not asked to think. A
// turn that has yet to begin is free.
func beganThinking(messages []message) bool {
	first := ""
	for i := len(messages) - 1; i >= 0; i-- {
		opening := messages[i].Content[0].Type
		if messages[i].Role == "assistant" {
			first = opening
		} else if opening != "tool_result" { // results come first
			break
		}
	}
	return first == "" || first == "thinking" || first == "redacted_thinking"
}

// bareName is a model's name without the maker that gateways put before it.
func bareName(model string) string { return model[strings.LastIndexByte(model, '/')+1:] }

func isClaude(model string) bool { return strings.HasPrefix(bareName(model), "claude-") }

// generation is the version in a Claude's name as one number: 405 for
// claude-opus-4-5-20251101, 307 for claude-3-7-sonnet. A name without one is the
// newest.
func generation(model string) int {
	var version []int
	for word := range strings.FieldsFuncSeq(bareName(model), func(r rune) bool { return strings.ContainsRune("-.@", r) }) {
		if n, err := strconv.Atoi(word); err == nil && len(word) < 3 { // longer is a date
			version = append(version, n)
		}
	}
	switch len(version) {
	case 0:
		return newest
	case 1:
		return 100 * version[0]
	}
	return 100*version[0] + version[1]
}

const newest = 100_000
