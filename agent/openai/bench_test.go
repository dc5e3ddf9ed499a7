package openai

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"

	"pawl/lifecycle"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

// What an answer and a request cost: see counttest.
const (
	mostPerToken  = 7.5  // allocations of a token: 6
	mostKilobytes = 0.45 // of a token in a long answer: 0.36
	mostPerStep   = 14   // allocations of a call and its result, each time that they are sent: 11
)

// bench is this provider on the bench that all share.
func bench(t testing.TB) wiretest.Bench {
	return wiretest.Bench{
		New: func(base string, client *http.Client) agent.Provider {
			return New(Options{Key: key, BaseURL: base, HTTPClient: client})
		},
		Who:              "the server",
		Secret:           key,
		Request:          hello(),
		Stream:           wiretest.Recording(t, "short.sse"),
		Final:            `{"type":"response.completed"`,
		Key:              `"delta"`,
		Fault:            "event: error\ndata: {\"type\":\"error\",\"message\":\"Overloaded\"}\n\n",
		SameIDs:          wiretest.Recording(t, "twins.sse"),
		InvalidArguments: wiretest.Recording(t, "odd_arguments.sse"),
		Ping:             "event: keepalive\ndata: {\"type\":\"keepalive\"}",
	}
}

func TestWholeOrAnErrorWhereverItIsCut(t *testing.T)         { bench(t).Cut(t) }
func TestWholeOrAnErrorWhateverByteIsChanged(t *testing.T)   { bench(t).Garble(t) }
func TestWholeOrAnErrorWhateverTheStreamIsLike(t *testing.T) { bench(t).Faults(t) }
func TestWhatServersRefuseWith(t *testing.T)                 { bench(t).Refusals(t) }
func TestWhatBecomesOfTheConnection(t *testing.T)            { bench(t).Connection(t) }
func TestWhatCountsAsASignOfLife(t *testing.T)               { bench(t).Limits(t) }

func TestWhatIsSentForEveryKindOfQuestion(t *testing.T) { bench(t).Sent(t, name, spoken()) }

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

// spoken are messages that have a phase, and one that has searched.
func spoken() map[string]agent.Request {
	req := hello()
	req.Messages = append(req.Messages, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		phasePart("commentary"), {Text: "I will look."}, phasePart("final_answer"), {Text: "Done."}, {Text: "Really."},
	}})
	search := hello()
	search.Tools, search.Search = []agent.ToolSpec{{Name: "read"}}, &agent.WebSearch{Allowed: []string{"go.dev"}}
	search.Messages = append(search.Messages, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		{Search: &agent.Search{Provider: name, Raw: json.RawMessage(`{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"go","queries":["go"]}}`)}},
		{Text: "Go."},
		{Search: &agent.Search{
			Searched: lifecycle.Searched{Cited: []lifecycle.Page{{URL: "https://go.dev"}}}, Provider: name,
			Raw: json.RawMessage(`[{"type":"url_citation","start_index":0,"end_index":2,"url":"https://go.dev","title":"Go"}]`),
		}},
	}})
	return map[string]agent.Request{"phases": req, "search": search}
}
