package anthropic

import (
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
	mostPerStep   = 13   // allocations of a call and its result, each time that they are sent: 10
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

func TestWhatIsSentForEveryKindOfQuestion(t *testing.T) { bench(t).Sent(t, Name, budgeted()) }

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

// budgeted are wishes for thinking, in the forms that older and other models take.
func budgeted() map[string]agent.Request {
	tools := []agent.ToolSpec{{Name: "read"}}
	return map[string]agent.Request{
		"thinking measured by the model": {Model: "claude-opus-5-5", Thinking: agent.Able, Messages: hello().Messages, Tools: tools},
		"thinking between tools":         {Model: "claude-opus-4-5", Thinking: agent.Able, Messages: hello().Messages, Tools: tools},
		"thinking of another maker":      {Model: "glm-4.6", Thinking: agent.Able, Messages: hello().Messages, Tools: tools},
	}
}
