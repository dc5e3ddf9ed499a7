package anthropic

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

// sent asks once and gives the request as the server saw it.
func sent(t *testing.T, req agent.Request) (http.Request, []byte) {
	t.Helper()
	var seen http.Request
	var body []byte
	_, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "text"), &seen, &body)), req)
	require.NoError(t, err)
	return seen, body
}

// sentMessages gives the messages of a request, without breakpoints.
func sentMessages(t *testing.T, history ...agent.Message) string {
	t.Helper()
	_, body := sent(t, agent.Request{Model: "claude-opus-5-5", Messages: history})
	var parsed struct {
		Messages json.RawMessage `json:"messages"`
	}
	require.NoError(t, json.Unmarshal(body, &parsed))
	return strings.ReplaceAll(string(parsed.Messages), `,"cache_control":{"type":"ephemeral"}`, "")
}

func result(id, text string, images ...agent.Image) agent.Part {
	return agent.Part{Result: &agent.CallResult{Call: lifecycle.CallID(id), Name: "read", Text: text, Images: images}}
}

func results(parts ...agent.Part) agent.Message {
	return agent.Message{Role: agent.RoleTool, Parts: parts}
}

var png = agent.Image{MediaType: "image/png", Data: []byte("\x89PNG")}

// A history with all that there is goes out as the golden file says: roles
// alternate, results come first, thinking stands where it stood, and there are
// four breakpoints.
func TestRequest(t *testing.T) {
	failed := result("toolu_B", "no such file", png)
	failed.Result.IsError = true
	req := agent.Request{
		Model: "claude-sonnet-4-5", System: "You are Pawl.", MaxTokens: 1234,
		Tools: []agent.ToolSpec{
			{Name: "list", Description: "Lists."},
			{Name: "read", Description: "Reads.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"],"additionalProperties":false,"$defs":{"x":{}}}`)},
		},
		Messages: []agent.Message{
			{Role: agent.RoleUser, Parts: []agent.Part{{Text: "Look at <this> & that:"}, {Image: &png}, {Image: &agent.Image{MediaType: "image/tiff", Data: []byte("x")}}}},
			agent.Say("Be quick."),
			said(append(thinkingAnswer.Parts[:4:4], call("toolu_A", "read", `{"path": "a.go", "n": 12345678901234567890}`), call("toolu_B", "read", ""))...),
			results(result("toolu_A", "package a", png, agent.Image{MediaType: "image/bmp", Data: []byte("x")}), failed),
			agent.Say("And now?"),
		},
	}
	seen, body := sent(t, req)
	require.Equal(t, "/v1/messages", seen.URL.Path)
	require.Equal(t, "sk-ant-secret", seen.Header.Get("X-Api-Key"))
	require.Equal(t, "2023-06-01", seen.Header.Get("Anthropic-Version"))
	golden, err := os.ReadFile("testdata/request.json")
	require.NoError(t, err)
	require.JSONEq(t, string(golden), string(body))
	require.Contains(t, string(body), "12345678901234567890", "numbers are not rounded")
}

// What the API refuses never goes out, whatever a history holds.
func TestUnsendable(t *testing.T) {
	cut := thought(agent.Thinking{Text: "cut off before its signature"})
	foreign := agent.Part{Thinking: &agent.Thinking{Text: "hm", Signature: "abc", Provider: "gemini"}}
	own := thought(agent.Thinking{Text: "hm", Signature: "abc"})
	for name, test := range map[string]struct {
		history []agent.Message
		want    string
	}{
		"empty texts": {
			[]agent.Message{agent.Say("a"), agent.Say(" \n"), said(agent.Part{Text: ""}, agent.Part{Text: "\n"}), agent.Say("b")},
			`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`,
		},
		"thinking that cannot go back": {
			[]agent.Message{agent.Say("a"), said(cut, foreign), agent.Say("b"), said(foreign, agent.Part{Text: "c"}), agent.Say("d")},
			`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
			  {"role":"assistant","content":[{"type":"text","text":"c"}]},
			  {"role":"user","content":[{"type":"text","text":"d"}]}]`,
		},
		"thinking at the end": {
			[]agent.Message{agent.Say("a"), said(own), agent.Say("b"), said(agent.Part{Text: "c"}, own, agent.Part{Text: "\n"}), agent.Say("d")},
			`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},
			  {"role":"assistant","content":[{"type":"text","text":"c"}]},
			  {"role":"user","content":[{"type":"text","text":"d"}]}]`,
		},
		"arguments that are no object": {
			[]agent.Message{agent.Say("a"), said(call("1", "x", `{"half": "`), call("2", "x", `[1]`), call("3", "x", `null`), call("4", "x", ` `), call("5", "x", `{"e": "\ud83d!", "n": 12345678901234567890}`))},
			`[{"role":"user","content":[{"type":"text","text":"a"}]},
			  {"role":"assistant","content":[
			    {"type":"tool_use","id":"1","name":"x","input":{"_invalid":"{\"half\": \""}},
			    {"type":"tool_use","id":"2","name":"x","input":{"_invalid":"[1]"}},
			    {"type":"tool_use","id":"3","name":"x","input":{"_invalid":"null"}},
			    {"type":"tool_use","id":"4","name":"x","input":{}},
			    {"type":"tool_use","id":"5","name":"x","input":{"e":"�!","n":12345678901234567890}}]}]`,
		},
		"names from elsewhere": {
			[]agent.Message{
				agent.Say("a"), said(call("functions.x:0", "no such tool!", `{}`)), results(result("functions.x:0", "1")),
				said(call("functions.x:0", "", `{}`)), results(result("functions.x:0", " ")),
			},
			`[{"role":"user","content":[{"type":"text","text":"a"}]},
			  {"role":"assistant","content":[{"type":"tool_use","id":"functions_x_0","name":"no_such_tool_","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"functions_x_0","content":[{"type":"text","text":"1"}]}]},
			  {"role":"assistant","content":[{"type":"tool_use","id":"functions_x_0_2","name":"_","input":{}}]},
			  {"role":"user","content":[{"type":"tool_result","tool_use_id":"functions_x_0_2","content":[{"type":"text","text":"(no output)"}]}]}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.JSONEq(t, test.want, sentMessages(t, test.history...))
		})
	}
}

// What an answer brought goes back in the next request as it came.
func TestThinkingRoundTrip(t *testing.T) {
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "thinking"), nil, nil)), hello())
	require.NoError(t, err)
	require.JSONEq(t, `[
		{"role":"user","content":[{"type":"text","text":"Hello"}]},
		{"role":"assistant","content":[
			{"type":"thinking","thinking":"Let me look at the file.","signature":"EqQBCgIYAhIM1gbcDkFKSw=="},
			{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/LafPsn4a"},
			{"type":"thinking","thinking":"","signature":"EuYBCkQYBCJAhidden"},
			{"type":"text","text":"I will read it."},
			{"type":"tool_use","id":"toolu_01T1x1fJ34qAmk2tNTrN7Up6","name":"read","input":{"path":"a.go"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01T1x1fJ34qAmk2tNTrN7Up6","content":[{"type":"text","text":"package a"}]}]}
	]`, sentMessages(t, agent.Say("Hello"), answer.Message, results(result("toolu_01T1x1fJ34qAmk2tNTrN7Up6", "package a"))))
}

func TestBreakpoints(t *testing.T) {
	var history []agent.Message
	for range 5 {
		history = append(history, agent.Say("a"), said(agent.Part{Text: "b"}))
	}
	req := agent.Request{Model: "claude-haiku-5-5", System: "s", Tools: []agent.ToolSpec{{Name: "x"}, {Name: "y"}}}
	for n := range len(history) {
		req.Messages = history[:n+1]
		_, body := sent(t, req)
		breakpoints := strings.Count(string(body), `"cache_control":{"type":"ephemeral"}`)
		require.LessOrEqual(t, breakpoints, 4)
		require.Equal(t, 2+min(n+1, 2), breakpoints)
	}
	_, body := sent(t, hello())
	require.Equal(t, 1, strings.Count(string(body), "cache_control"), "no system, no tools")
}

func TestSchemaThatIsNoJSON(t *testing.T) {
	req := hello()
	req.Tools = []agent.ToolSpec{{Name: "x", Schema: json.RawMessage(`{`)}}
	_, _, err := wiretest.Ask(t, New(Options{Key: "k", BaseURL: "http://127.0.0.1:1"}), req)
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.False(t, failure.Temporary)
	require.Equal(t, "the schema of tool x is not valid JSON", failure.Message)
}

func TestLimits(t *testing.T) {
	for model, want := range map[string]int64{
		"claude-opus-4-20250514": 32000, "claude-opus-4-0": 32000, "claude-opus-4-1-20250805": 32000,
		"claude-opus-4-5": 64000, "claude-opus-4-8": 64000, "claude-opus-5-5": 64000, "claude-sonnet-4-20250514": 64000,
		"claude-haiku-4-5-20251001": 64000, "claude-fable-5-1": 64000, "claude-3-7-sonnet-latest": 64000,
		"claude-3-5-haiku-latest": 8192, "claude-3-opus-20240229": 4096, "anthropic/claude-sonnet-4-5": 64000,
		"glm-4.6": 8192, "": 8192,
	} {
		require.Equal(t, want, limit(model, 0), model)
		require.Equal(t, int64(7), limit(model, 7), model)
	}
}

func TestAddressWithPath(t *testing.T) {
	var seen http.Request
	var body []byte
	server := httptest.NewServer(wiretest.Streams(recording(t, "text"), &seen, &body))
	t.Cleanup(server.Close)
	for _, address := range []string{server.URL + "/proxy", server.URL + "/proxy/"} {
		_, _, err := wiretest.Ask(t, New(Options{Key: "k", BaseURL: address, HTTPClient: server.Client()}), hello())
		require.NoError(t, err)
		require.Equal(t, "/proxy/v1/messages", seen.URL.Path)
	}
}

// Whatever order tools come in, the request begins with the same bytes, so that
// the server's cache holds.
func TestToolsHaveOneOrder(t *testing.T) {
	req := hello()
	req.Tools = []agent.ToolSpec{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	_, first := sent(t, req)
	req.Tools = []agent.ToolSpec{{Name: "c"}, {Name: "a"}, {Name: "b"}}
	_, second := sent(t, req)
	require.Equal(t, string(first), string(second))
}
