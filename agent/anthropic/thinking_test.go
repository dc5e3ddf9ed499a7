package anthropic

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

const (
	adaptive = `{"type":"adaptive","display":"summarized"}`
	manual   = `{"type":"enabled","budget_tokens":16000}`
)

// wished asks once and gives what the request said of thinking, empty for nothing,
// and of features in beta.
func wished(t *testing.T, req agent.Request) (wish, beta string) {
	t.Helper()
	seen, body := sent(t, req)
	var fields struct{ Thinking json.RawMessage }
	require.NoError(t, json.Unmarshal(body, &fields))
	return string(fields.Thinking), seen.Header.Get("Anthropic-Beta")
}

// Who takes which form is in the table of Anthropic's own guide.
func TestThinkingIsAskedForInTheFormThatTheModelTakes(t *testing.T) {
	for model, want := range map[string]struct{ wish, beta string }{
		"claude-fable-5-1": {adaptive, ""}, "claude-opus-5-5": {adaptive, ""}, "claude-haiku-5-5": {adaptive, ""},
		"claude-sonnet-5": {adaptive, ""}, "claude-opus-4-8": {adaptive, ""}, "claude-opus-4-7-20260416": {adaptive, ""},
		"claude-opus-4-6": {adaptive, ""}, "claude-sonnet-4-6": {adaptive, ""}, "anthropic/claude-opus-4.6": {adaptive, ""},
		"claude-mythos-preview": {adaptive, ""}, "claude-haiku-10": {adaptive, ""}, "claude-opus-4-6@20260201": {adaptive, ""},
		"claude-opus-4-5": {manual, interleaved}, "claude-opus-4-5-20251101": {manual, interleaved},
		"claude-haiku-4-5-20251001": {manual, interleaved}, "claude-sonnet-4-5": {manual, interleaved},
		"claude-opus-4-1-20250805": {manual, interleaved}, "claude-opus-4": {manual, interleaved},
		"claude-sonnet-4-20250514": {manual, interleaved}, "anthropic/claude-sonnet-4.5": {manual, interleaved},
		"claude-3-7-sonnet-latest": {manual, ""}, "glm-4.6": {`{"type":"enabled","budget_tokens":4096}`, ""},
	} {
		req := agent.Request{Model: model, Thinking: agent.Able, Messages: hello().Messages, Tools: []agent.ToolSpec{{Name: "read"}}}
		wish, beta := wished(t, req)
		require.JSONEq(t, want.wish, wish, model)
		require.Equal(t, want.beta, beta, model)
		for _, ability := range []agent.Ability{agent.Unknown, agent.Unable} {
			req.Thinking = ability
			wish, beta = wished(t, req)
			require.Empty(t, wish+beta, "%s, of which %q is known", model, ability)
		}
	}
}

// A budget is at least 1024 and less than the answer, or the API refuses it.
func TestThinkingLeavesRoomForTheAnswer(t *testing.T) {
	req := hello()
	req.Thinking = agent.Able
	for limit, want := range map[int]string{
		0: manual, 40_000: manual, 4096: `{"type":"enabled","budget_tokens":2048}`, 2048: `{"type":"enabled","budget_tokens":1024}`, 2047: "", 1: "",
	} {
		req.MaxTokens = limit
		wish, beta := wished(t, req)
		require.Equal(t, want == "", wish == "", limit)
		if want != "" {
			require.JSONEq(t, want, wish, limit)
		}
		require.Empty(t, beta, "there are no tools to think between")
	}
}

// A turn has to begin with thinking where there is a budget. One that did not is
// finished without, the next one is free again.
func TestThinkingWaitsForATurnThatCanBeginWithIt(t *testing.T) {
	foreign := agent.Part{Thinking: &agent.Thinking{Text: "hm", Signature: "abc", Provider: "gemini"}}
	own := thought(agent.Thinking{Text: "hm", Signature: "abc"})
	hidden := thought(agent.Thinking{Signature: "abc", Redacted: true})
	step := func(first ...agent.Part) []agent.Message {
		return []agent.Message{said(append(first, call("1", "read", `{}`))...), results(result("1", "x"))}
	}
	again := []agent.Message{said(call("2", "read", `{}`)), results(result("2", "y"))}
	for name, test := range map[string]struct {
		after []agent.Message // the user's first words
		asked bool
	}{
		"own thinking":                   {step(own), true},
		"hidden thinking":                {step(hidden), true},
		"own thinking, then a step":      {append(step(own), again...), true},
		"own thinking, then a notice":    {append(append(step(own), agent.Say("a notice")), again...), true},
		"no thinking":                    {step(), false},
		"another's thinking":             {step(foreign), false},
		"text first":                     {step(agent.Part{Text: "I look."}, own), false},
		"no thinking, then a step of it": {append(step(), step(own)...), false},
		"no thinking, but a new turn":    {append(step(), said(agent.Part{Text: "done"}), agent.Say("and?")), true},
	} {
		t.Run(name, func(t *testing.T) {
			req := hello()
			req.Thinking, req.Messages = agent.Able, append(req.Messages, test.after...)
			wish, _ := wished(t, req)
			require.Equal(t, test.asked, wish != "")
			req.Model = "claude-opus-5-5"
			wish, _ = wished(t, req)
			require.JSONEq(t, adaptive, wish, "there is no such rule where the model measures it itself")
		})
	}
}
