package anthropic

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
	mostPerToken  = 11.5 // allocations of a token: 9
	mostKilobytes = 0.45 // of a token in a long answer: 0.35
	mostPerStep   = 16   // allocations of a call and its result, each time that they are sent: 12.8, for what a block holds may be a search's too
)

// bench is this provider on the bench that all share.
func bench(t testing.TB) wiretest.Bench {
	return wiretest.Bench{
		New: func(base string, client *http.Client) agent.Provider {
			return New(Options{Key: key, BaseURL: base, HTTPClient: client})
		},
		Keyless:          func(base string) agent.Provider { return New(Options{BaseURL: base}) },
		Who:              "Anthropic",
		Secret:           key,
		Request:          hello(),
		Stream:           wiretest.Recording(t, "short.sse"),
		Final:            `{"type":"message_stop"`,
		Counted:          lifecycle.Usage{InputTokens: 25, OutputTokens: 15},
		Key:              `"partial_json"`,
		Fault:            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
		SameIDs:          wiretest.Recording(t, "twins.sse"),
		InvalidArguments: wiretest.Recording(t, "odd_arguments.sse"),
		Opaque:           []string{"input"},
		Ping:             "event: ping\ndata: {\"type\":\"ping\"}",
	}
}

func TestWholeOrAnErrorWhereverItIsCut(t *testing.T)         { bench(t).Cut(t) }
func TestWholeOrAnErrorWhateverByteIsChanged(t *testing.T)   { bench(t).Garble(t) }
func TestWholeOrAnErrorWhateverTheStreamIsLike(t *testing.T) { bench(t).Faults(t) }
func TestWhatServersRefuseWith(t *testing.T)                 { bench(t).Refusals(t) }
func TestWhatBecomesOfTheConnection(t *testing.T)            { bench(t).Connection(t) }
func TestWhatCountsAsASignOfLife(t *testing.T)               { bench(t).Limits(t) }

func TestWhatIsSentForEveryKindOfQuestion(t *testing.T) { bench(t).Sent(t, Name, thinkers()) }

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

// thinkers are wishes for thinking, in the forms that older and other models take.
func thinkers() map[string]agent.Request {
	tools := []agent.ToolSpec{{Name: "read"}}
	return map[string]agent.Request{
		"thinking measured by the model": {Model: "claude-opus-5-5", Thinking: agent.Able, Messages: hello().Messages, Tools: tools},
		"thinking between tools":         {Model: "claude-opus-4-5", Thinking: agent.Able, Messages: hello().Messages, Tools: tools},
		"effort of a newer model":        {Model: "claude-opus-5-5", Thinking: agent.Able, Effort: "xhigh", Messages: hello().Messages, Tools: tools},
		"effort beside a budget":         {Model: "claude-opus-4-5", Thinking: agent.Able, Effort: "medium", Messages: hello().Messages, Tools: tools},
		"search":                         {Model: "claude-opus-5-5", Search: &agent.WebSearch{}, Messages: hello().Messages, Tools: tools},
		"search of hosts":                {Model: "claude-opus-5-5", Search: &agent.WebSearch{Allowed: []string{"go.dev"}}, Messages: searchedBefore()},
		"search without hosts":           {Model: "claude-opus-5-5", Search: &agent.WebSearch{Blocked: []string{"evil.example"}}, Messages: hello().Messages},
		"effort of another maker":        {Model: "glm-4.6", Effort: "high", Messages: hello().Messages, Tools: tools},
		"thinking of another maker":      {Model: "glm-4.6", Thinking: agent.Able, Messages: hello().Messages, Tools: tools},
	}
}

// searchedBefore is a history with a search and a text that cites what it found.
func searchedBefore() []agent.Message {
	return append(hello().Messages, said(
		agent.Part{Search: &agent.Search{Provider: Name, Raw: json.RawMessage(`{"id":"srvtoolu_1","input":{"query":"go"},"result":[{"type":"web_search_result","url":"https://go.dev","title":"Go","encrypted_content":"c2VhbGVk","page_age":"1 day"}]}`)}},
		agent.Part{Text: "Go."},
		agent.Part{Search: &agent.Search{
			Searched: lifecycle.Searched{Cited: []lifecycle.Page{{URL: "https://go.dev"}}}, Provider: Name,
			Raw: json.RawMessage(`[{"type":"web_search_result_location","url":"https://go.dev","title":"Go","encrypted_index":"aW5kZXg","cited_text":"Go"}]`),
		}},
	), agent.Say("And?"))
}
