package script_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/script"
	"pawl/lifecycle"
)

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func loaded(t *testing.T, text string) script.Model {
	t.Helper()
	model, err := script.Load(written(t, text))
	require.NoError(t, err)
	return model
}

func TestLinesWithoutWhenComeInOrder(t *testing.T) {
	k := newTalk(t, loaded(t, `
# a comment, then two answers

{"text": "one", "thinking": "hm", "latency": "2s", "stall": "1h", "stop": "length"}
{"calls": [{"name": "list"}, {"name": "read", "input": {"path": "a"}}, {"name": "grep", "input": "{no json"}]}
{}
`), rootTools()).says("go")
	require.Equal(t, script.Turn{Text: "one", Thinking: "hm", Latency: 2 * time.Second, Stall: time.Hour, Stop: agent.StopLength}, k.answer())
	k.says("more")
	require.Equal(t, []string{"list {}", `read {"path": "a"}`, "grep {no json"}, named(k.answer().Calls))
	k.gets(gave("x"), gave("y"), gave("z"))
	require.Equal(t, script.Turn{}, k.answer())
	k.says("and?")
	require.ErrorContains(t, k.model(k.request()).Err, "has no line for this request: 3 answers of its own order are given")
}

func TestLinesWithWhenGoFirst(t *testing.T) {
	model := loaded(t, `
{"text": "first"}
{"when": {"prompt": "deploy", "step": 1}, "text": "d1", "calls": [{"name": "list"}]}
{"when": {"prompt": "deploy", "step": 2}, "text": "d2"}
{"when": {"prompt": "<status>completed</status>", "root": true}, "text": "told"}
{"when": {"root": false}, "text": "a child"}
{"text": "second"}
`)
	require.Equal(t, "a child", newTalk(t, model, childTools()).says("anything").answer().Text)

	k := newTalk(t, model, rootTools()).says("hello")
	require.Equal(t, "first", k.answer().Text)
	require.Equal(t, "d1", k.says("deploy it").answer().Text)
	k.gets(gave("x")).says("by the way") // on the way, and named by no line
	require.Equal(t, "d2", k.answer().Text)
	require.Equal(t, "told", k.isTold(notice("a1", "x", lifecycle.StateCompleted, 0, "ok")).answer().Text)
	require.Equal(t, "second", k.says("hello again").answer().Text, "chosen lines do not use up the ordered ones")
}

func TestANewPromptBehindAStoppedRunHasItsOwnSteps(t *testing.T) {
	model := loaded(t, `
{"when": {"prompt": "one", "step": 1}, "calls": [{"name": "list"}]}
{"when": {"prompt": "one", "step": 2}, "text": "one is done"}
{"when": {"prompt": "two", "step": 1}, "text": "two is done"}
`)
	k := newTalk(t, model, rootTools()).says("one")
	k.answer()
	k.gets(agent.Fault("Not run: the run was stopped before it.")).says("two")
	require.Equal(t, "two is done", k.answer().Text)
}

func TestPlaceholdersTakeValuesFromResults(t *testing.T) {
	k := newTalk(t, loaded(t, `
{"calls": [{"name": "agent"}, {"name": "agent"}]}
{"text": "stop {{agent_id}}", "calls": [{"name": "agent_stop", "input": {"agent_id": "{{agent_id:2}}"}}]}
{"text": "{{agent_id:3}} {{no_such}}"}
`), rootTools()).says("go")
	k.answer()
	turn := k.gets(launched("a1"), launched("a2")).answer()
	require.Equal(t, "stop a1", turn.Text)
	require.Equal(t, []string{`agent_stop {"agent_id": "a2"}`}, named(turn.Calls))
	k.gets(reply(map[string]any{"agent_id": "a2", "status": "canceled_by_agent"}))
	require.EqualError(t, k.model(k.request()).Err, "scripted model: no result has {{agent_id:3}}, {{no_such}}")
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]*agent.ProviderError{
		`{"error": {}}`:              {Kind: lifecycle.FailProvider, Message: "the scripted model failed as its file says"},
		`{"error": {"status": 529}}`: {Kind: lifecycle.FailProvider, Status: 529, Message: "the scripted model failed as its file says", Temporary: true},
		`{"error": {"status": 429, "retry_after": "3s", "message": "slow down"}}`: {Kind: lifecycle.FailRateLimited, Status: 429, Message: "slow down", RetryAfter: 3 * time.Second, Temporary: true},
		`{"error": {"kind": "rate_limited"}}`:                                     {Kind: lifecycle.FailRateLimited, Message: "the scripted model failed as its file says", Temporary: true},
		`{"error": {"kind": "context_length", "status": 400}}`:                    {Kind: lifecycle.FailContextLength, Status: 400, Message: "the scripted model failed as its file says"},
	} {
		k := newTalk(t, loaded(t, text), rootTools()).says("go")
		require.Equal(t, error(want), k.model(k.request()).Err, text)
		require.Equal(t, error(want), k.model(k.request()).Err, "it fails for good")
	}
}

func TestAnErrorCanPass(t *testing.T) {
	k := newTalk(t, loaded(t, `{"text": "at last", "error": {"status": 503, "times": 2}}`), rootTools()).says("go")
	for range 2 {
		turn := k.model(k.request())
		require.Error(t, turn.Err)
		require.Equal(t, "at last", turn.Text, "what was streamed before it broke")
	}
	require.Equal(t, script.Turn{Text: "at last"}, k.answer())
}

func TestLoadNamesTheLineThatDoesNotFit(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n\n{oops":                            "line 3: invalid character 'o'",
		`{"txt": "x"}`:                           `line 1: json: unknown field "txt"`,
		`{"when": {"prompts": "x"}}`:             `line 1: json: unknown field "prompts"`,
		`{} {}`:                                  "line 1: there is more after the object",
		`{"stop": "done"}`:                       `line 1: stop "done": must be end, tool_calls, length, refused or unknown`,
		`{"when": {"step": -1}}`:                 "line 1: when.step -1: steps count from 1",
		`{"calls": [{"name":"a"},{"input":{}}]}`: "line 1: calls[1]: it has no name",
		`{"error": {"kind": "sad"}}`:             `line 1: error.kind "sad": must be provider, rate_limited, auth, context_length or refused`,
		`{"error": {"times": -1}}`:               "line 1: error.times -1:",
		`{"latency": "soon"}`:                    `line 1: a duration is written "1.5s", not "soon"`,
		`{"stall": 3}`:                           `line 1: a duration is written "1.5s", not 3`,
	} {
		path := written(t, text)
		_, err := script.Load(path)
		require.ErrorContains(t, err, "load scripted model "+path+": "+want)
	}
	_, err := script.Load(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
