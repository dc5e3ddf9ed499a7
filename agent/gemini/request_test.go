package gemini

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
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

// sentContents gives the contents of a request.
func sentContents(t *testing.T, model string, history ...agent.Message) string {
	t.Helper()
	_, body := sent(t, agent.Request{Model: model, Messages: history})
	var parsed struct {
		Contents json.RawMessage `json:"contents"`
	}
	require.NoError(t, json.Unmarshal(body, &parsed))
	return string(parsed.Contents)
}

func result(id, text string, images ...agent.Image) agent.Part {
	return agent.Part{Result: &agent.CallResult{Call: lifecycle.CallID(id), Name: "read", Text: text, Images: images}}
}

func tool(parts ...agent.Part) agent.Message {
	return agent.Message{Role: agent.RoleTool, Parts: parts}
}

var png = agent.Image{MediaType: "image/png", Data: []byte("\x89PNG")}

// A history with all that there is goes out as the golden file says: roles
// alternate, results come first and together, signatures stand where they stood.
func TestRequest(t *testing.T) {
	failed := result("minted", "no such file")
	failed.Result.IsError = true
	req := agent.Request{
		Model: "gemini-2.5-pro", System: "You are Pawl.", MaxTokens: 1234,
		Tools: []agent.ToolSpec{
			{Name: "list", Description: "Lists."},
			{Name: "todo", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
			{Name: "read", Description: "Reads.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"],"additionalProperties":false}`)},
		},
		Messages: []agent.Message{
			{Role: agent.RoleUser, Parts: []agent.Part{{Text: "Look at <this> & that:"}, {Image: &png}, {Image: &agent.Image{MediaType: "image/gif", Data: []byte("x")}}}},
			agent.Say("Be quick."),
			said(append(thinkingAnswer.Parts[:3:3], signed(call("jm4owj31", "read", `{"path": "a.go"}`), "signature-of-call"), call("minted", "read", ""))...),
			tool(result("jm4owj31", "package a", png), failed),
			agent.Say("And now?"),
		},
	}
	seen, body := sent(t, req)
	require.Equal(t, "/v1beta/models/gemini-2.5-pro:streamGenerateContent", seen.URL.Path)
	require.Equal(t, "alt=sse", seen.URL.RawQuery)
	require.Equal(t, "AIza-secret", seen.Header.Get("X-Goog-Api-Key"))
	golden, err := os.ReadFile("testdata/request.json")
	require.NoError(t, err)
	require.JSONEq(t, string(golden), string(body))
}

// What the API refuses never goes out, whatever a history holds.
func TestUnsendable(t *testing.T) {
	foreign := agent.Part{Thinking: &agent.Thinking{Text: "hm", Signature: "YWJj", Provider: "anthropic"}}
	for name, test := range map[string]struct {
		history []agent.Message
		want    string
	}{
		"empty texts": {
			[]agent.Message{agent.Say("a"), agent.Say(" \n"), said(agent.Part{Text: ""}, agent.Part{Text: "\n"}), agent.Say("b")},
			`[{"role":"user","parts":[{"text":"a"},{"text":"b"}]}]`,
		},
		"nothing but thoughts": {
			[]agent.Message{agent.Say("a"), said(foreign), said(thought("hm", "s"), textSignature("s")), agent.Say("b"), said(foreign, agent.Part{Text: "c"}), agent.Say("d")},
			`[{"role":"user","parts":[{"text":"a"},{"text":"b"}]},{"role":"model","parts":[{"text":"c"}]},{"role":"user","parts":[{"text":"d"}]}]`,
		},
		"signatures with nothing to hang on": {
			[]agent.Message{agent.Say("a"), said(textSignature("s"), thought("", "s"), agent.Part{Text: "c"}), agent.Say("d")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"c"}]},{"role":"user","parts":[{"text":"d"}]}]`,
		},
		"arguments that are no object": {
			[]agent.Message{agent.Say("a"), said(call("1", "x", `{"half": "`), call("2", "x", `[1]`), call("3", "x", `null`), call("4", "x", ` `), call("5", "x", `{"e": "\ud83d!"}`), call("6", "x", `{} {}`))},
			`[{"role":"user","parts":[{"text":"a"}]},
			  {"role":"model","parts":[
			    {"functionCall":{"id":"1","name":"x","args":{"_invalid":"{\"half\": \""}}},
			    {"functionCall":{"id":"2","name":"x","args":{"_invalid":"[1]"}}},
			    {"functionCall":{"id":"3","name":"x","args":{"_invalid":"null"}}},
			    {"functionCall":{"id":"4","name":"x"}},
			    {"functionCall":{"id":"5","name":"x","args":{"e":"�!"}}},
			    {"functionCall":{"id":"6","name":"x","args":{"_invalid":"{} {}"}}}]}]`,
		},
		"names from elsewhere": {
			[]agent.Message{agent.Say("a"), said(call("1", "no such tool!", `{}`), call("2", "", `{}`), call("3", "9", `{}`)), tool(result("1", " "))},
			`[{"role":"user","parts":[{"text":"a"}]},
			  {"role":"model","parts":[{"functionCall":{"id":"1","name":"no_such_tool_"}},{"functionCall":{"id":"2","name":"_"}},{"functionCall":{"id":"3","name":"_9"}}]},
			  {"role":"user","parts":[{"functionResponse":{"id":"1","name":"read","response":{"output":"(no output)"}}}]}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.JSONEq(t, test.want, sentContents(t, "gemini-2.5-pro", test.history...))
		})
	}
}

// What an answer brought goes back in the next request as it came.
func TestSignatureRoundTrip(t *testing.T) {
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "tools"), nil, nil)), hello())
	require.NoError(t, err)
	calls := answer.Message.Calls()
	require.JSONEq(t, `[
		{"role":"user","parts":[{"text":"Hello"}]},
		{"role":"model","parts":[
			{"text":"I need both.","thought":true,"thoughtSignature":"c2lnbmF0dXJlLW9mLXRob3VnaHQ="},
			{"text":"Both at once."},
			{"functionCall":{"id":"jm4owj31","name":"read","args":{"path":"src/<ä>.go","limit":3}},"thoughtSignature":"c2lnbmF0dXJlLW9mLWNhbGw="},
			{"functionCall":{"id":"`+string(calls[1].ID)+`","name":"grep","args":{"pattern":"func"}}},
			{"functionCall":{"id":"`+string(calls[2].ID)+`","name":"todo"}},
			{"functionCall":{"id":"taken","name":"list"}}]}
	]`, sentContents(t, "gemini-3-pro-preview", agent.Say("Hello"), answer.Message))

	answer, _, err = wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "thinking"), nil, nil)), hello())
	require.NoError(t, err)
	require.JSONEq(t, `[
		{"role":"user","parts":[{"text":"Hello"}]},
		{"role":"model","parts":[
			{"text":"**Reading**\n\nLet me look at the file.","thought":true},
			{"text":"I will read it.","thoughtSignature":"c2lnbmF0dXJlLW9mLXRleHTDvw=="}]},
		{"role":"user","parts":[{"text":"Thanks"}]}
	]`, sentContents(t, "gemini-3-pro-preview", agent.Say("Hello"), answer.Message, agent.Say("Thanks")))
}

// From generation 3 on, a turn's first call must be signed, whoever made it.
func TestCallsOfOtherModels(t *testing.T) {
	foreign := call("toolu_1", "read", `{}`)
	foreign.Call.Signature, foreign.Call.Provider = "c2ln", "openai"
	history := []agent.Message{agent.Say("a"), said(foreign, call("toolu_2", "read", `{}`))}
	for model, signature := range map[string]string{
		"gemini-2.5-pro":       "",
		"gemini-3-pro-preview": `,"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="`,
		"gemini-flash-latest":  `,"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="`,
	} {
		require.JSONEq(t, `[
			{"role":"user","parts":[{"text":"a"}]},
			{"role":"model","parts":[{"functionCall":{"id":"toolu_1","name":"read"}`+signature+`},{"functionCall":{"id":"toolu_2","name":"read"}}]}
		]`, sentContents(t, model, history...), model)
	}
}

func TestModelsThatThink(t *testing.T) {
	for model, want := range map[string]bool{
		"gemini-2.5-pro": true, "models/gemini-2.5-flash": true, "gemini-3-pro-preview": true, "gemini-4-argon": true, "gemini-flash-latest": true,
		"gemini-2.5-flash-lite": false, "gemini-2.5-flash-image": false, "gemini-2.0-flash": false, "gemini-1.5-pro": false, "gemma-3-27b-it": false,
	} {
		require.Equal(t, want, thinks(agent.Request{Model: model}), model)
	}
	_, body := sent(t, agent.Request{Model: "gemini-2.0-flash", Messages: []agent.Message{agent.Say("a")}})
	require.JSONEq(t, `{"contents":[{"role":"user","parts":[{"text":"a"}]}],"generationConfig":{}}`, string(body))
}

func TestSchemaThatIsNoObject(t *testing.T) {
	req := hello()
	for _, schema := range []string{`{`, `[]`, `"x"`} {
		req.Tools = []agent.ToolSpec{{Name: "x", Schema: json.RawMessage(schema)}}
		_, _, err := wiretest.Ask(t, New(Options{Key: "k", BaseURL: "http://127.0.0.1:1"}), req)
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.False(t, failure.Temporary)
		require.Equal(t, "the schema of tool x is not a JSON object", failure.Message)
	}
}

func TestNamesThatAreNoModels(t *testing.T) {
	for _, name := range []string{"", "a?b", "../x", "a b"} {
		_, _, err := wiretest.Ask(t, New(Options{Key: "k", BaseURL: "http://127.0.0.1:1"}), agent.Request{Model: name})
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.False(t, failure.Temporary, name)
		require.Contains(t, failure.Message, "is not the name of a model")
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
		require.Equal(t, "/proxy/v1beta/models/gemini-2.5-pro:streamGenerateContent", seen.URL.Path)
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
