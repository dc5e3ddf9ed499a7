package anthropic

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"pawl/agent"
)

// budgets are what a model that needs a budget may spend on thinking, in tokens, by effort:
// without one, and for the API's default of high, what Anthropic's examples use. It is never
// more than half of the answer, of which it is a part.
var budgets = map[string]int64{"": 16_000, "low": 4_000, "medium": 10_000, "high": 16_000, "max": 32_000}

// minBudget is the least that the API accepts.
const minBudget = 1024

// firstAdaptive is the generation of Claude that first decides by itself how much to
// think. Later ones refuse a budget, earlier ones require it
// (platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting).
const firstAdaptive = 406

// interleaved lets models with a thinking budget think between tool calls as well. Later
// models do so anyway.
const interleaved = "interleaved-thinking-2025-05-14"

// thinking is the request for thinking, as it is sent.
type thinking struct {
	Type    string `json:"type"`
	Display string `json:"display,omitempty"`
	Budget  int64  `json:"budget_tokens,omitempty"`
}

// thinkingRequest asks for thinking in the form that the model accepts; nil for a model
// that is not known to think. The API would refuse it together with a temperature or a
// forced tool call, which Pawl never sends.
func thinkingRequest(req agent.Request, r request) *thinking {
	if req.Thinking != agent.Able {
		return nil
	}
	if isClaude(req.Model) && generation(req.Model) >= firstAdaptive {
		// Since 4.7 they keep it to themselves unless they are asked for a summary.
		return &thinking{Type: "adaptive", Display: "summarized"}
	}
	wish := budgets[""]
	if budgeted(req.Model) {
		wish = budgets[req.Effort]
	}
	tokens := min(wish, r.MaxTokens/2)
	if tokens < minBudget || !beganThinking(r.Messages) {
		return nil
	}
	return &thinking{Type: "enabled", Budget: tokens}
}

// interleavedHeader lets a model with a budget think between its calls too. Other makers'
// models on a compatible server do not get the header.
func interleavedHeader(r request) http.Header {
	if r.Thinking == nil || r.Thinking.Budget == 0 || len(r.Tools) == 0 || !isClaude(r.Model) || generation(r.Model) < 400 {
		return nil
	}
	return http.Header{"Anthropic-Beta": {interleaved}}
}

// beganThinking reports whether the current turn, all steps since a message without results,
// began with thinking. The API refuses a budget otherwise: another provider's model may have
// begun it, or one that was not asked to think. A turn that has not begun counts as well.
func beganThinking(messages []message) bool {
	first := ""
	for _, m := range slices.Backward(messages) {
		opening := m.Content[0].Type
		if m.Role == "assistant" {
			first = opening
		} else if opening != "tool_result" { // results come first
			break
		}
	}
	return first == "" || first == "thinking" || first == "redacted_thinking"
}

// budgeted reports whether a model takes its effort as a budget for thinking. The first with
// the parameter is Opus 4.5 (platform.claude.com/docs/en/build-with-claude/effort).
func budgeted(model string) bool {
	return isClaude(model) && generation(model) < firstAdaptive && !strings.HasPrefix(bareName(model), "claude-opus-4-5")
}

// bareName is a model's name without the maker that gateways put before it.
func bareName(model string) string { return model[strings.LastIndexByte(model, '/')+1:] }

func isClaude(model string) bool { return strings.HasPrefix(bareName(model), "claude-") }

// generation is the version in a Claude's name as a number: 405 for claude-opus-4-5-20251101,
// 307 for claude-3-7-sonnet. A name without a version counts as the newest.
func generation(model string) int {
	var version []int
	for word := range strings.FieldsFuncSeq(bareName(model), func(r rune) bool { return strings.ContainsRune("-.@", r) }) {
		if n, err := strconv.Atoi(word); err == nil && len(word) < 3 { // longer numbers are dates
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
