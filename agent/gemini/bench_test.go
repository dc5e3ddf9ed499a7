package gemini

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

// What an answer and a request cost: see counttest.
const (
	mostPerToken  = 16.5 // allocations of a token: 13
	mostKilobytes = 0.85 // of a token in a long answer: 0.66
	mostPerStep   = 15   // allocations of a call and its result, each time that they are sent: 12
)

// bench is this provider on the bench that all share.
func bench(t testing.TB) wiretest.Bench {
	return wiretest.Bench{
		New: func(base string, client *http.Client) agent.Provider {
			return New(Options{Key: key, BaseURL: base, HTTPClient: client})
		},
		Keyless: func(base string) agent.Provider { return New(Options{BaseURL: base}) },
		Who:     "Gemini",
		Secret:  key,
		Request: hello(),
		Stream:  wiretest.Recording(t, "short.sse"),
		Final:   `{"candidates":[{"finishReason"`,
		Counted: lifecycle.Usage{InputTokens: 25, OutputTokens: 15},
		Key:     `"functionCall"`,
		Fault:   "data: {\"error\":{\"code\":503,\"message\":\"Overloaded\",\"status\":\"UNAVAILABLE\"}}\n\n",
		SameIDs: wiretest.Recording(t, "twins.sse"),
		Opaque:  []string{"args"},
		Ping:    ": ping",
	}
}

func TestWholeOrAnErrorWhereverItIsCut(t *testing.T)         { bench(t).Cut(t) }
func TestWholeOrAnErrorWhateverByteIsChanged(t *testing.T)   { bench(t).Garble(t) }
func TestWholeOrAnErrorWhateverTheStreamIsLike(t *testing.T) { bench(t).Faults(t) }
func TestWhatServersRefuseWith(t *testing.T)                 { bench(t).Refusals(t) }
func TestWhatBecomesOfTheConnection(t *testing.T)            { bench(t).Connection(t) }
func TestWhatCountsAsASignOfLife(t *testing.T)               { bench(t).Limits(t) }

func TestWhatIsSentForEveryKindOfQuestion(t *testing.T) { bench(t).Sent(t, Name, ofOtherModels()) }

func TestCostOfAToken(t *testing.T)          { bench(t).Tokens(t, mostPerToken, mostKilobytes) }
func TestCostOfAStepInARequest(t *testing.T) { bench(t).Requests(t, mostPerStep) }

func BenchmarkTokens(b *testing.B)  { bench(b).BenchTokens(b) }
func BenchmarkRequest(b *testing.B) { bench(b).BenchRequests(b) }

func FuzzStream(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sse")
	require.NoError(f, err)
	var recordings []string
	for _, file := range files {
		recordings = append(recordings, wiretest.Recording(f, filepath.Base(file)))
	}
	bench(f).Fuzz(f, recordings...)
}

// ofOtherModels are questions to models with names and rules of their own.
func ofOtherModels() map[string]agent.Request {
	req := func(model string) agent.Request {
		return agent.Request{Model: model, Messages: []agent.Message{
			agent.Say("Read a.go."), said(call("toolu_1", "read", `{}`), call("toolu_2", "read", `{}`)), tool(result("toolu_1", "a"), result("toolu_2", "b")),
		}}
	}
	effort := agent.Request{Model: "gemini-3-pro-preview", Thinking: agent.Able, Effort: "high", Messages: hello().Messages}
	return map[string]agent.Request{
		"search": afterASearch(), "effort of generation 3": effort,
		"generation 3": req("gemini-3-pro-preview"), "no thoughts": req("gemini-2.0-flash"),
		"whole name": req("models/gemini-2.5-pro"), "tuned": req("tunedModels/mine-1"),
	}
}

// afterASearch is a question that may search, after an answer that has and called a function.
func afterASearch() agent.Request {
	raw := `[{"thoughtSignature":"` + signatureText([]byte("of the search")) + `","toolCall":{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["go"]},"id":"s1"}},
		{"thoughtSignature":"` + signatureText([]byte("of the result")) + `","toolResponse":{"toolType":"GOOGLE_SEARCH_WEB","response":{"search_suggestions":"<div>"},"id":"s1"}}]`
	req := searching("gemini-3-pro-preview")
	req.Messages = append(req.Messages,
		said(agent.Part{Search: &agent.Search{Raw: json.RawMessage(raw), Provider: Name}}, signed(call("c1", "list", `{}`), "of the call")), tool(result("c1", "a.go")),
		said(agent.Part{Text: "Go."}, agent.Part{Search: &agent.Search{Searched: lifecycle.Searched{Cited: []lifecycle.Page{{URL: "https://go.dev"}}}, Provider: Name}}),
		agent.Say("And?"))
	req.Messages[2].Parts[0].Result.Name = "list"
	return req
}
