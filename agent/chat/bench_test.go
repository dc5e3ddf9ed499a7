package chat

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

// What an answer and a request cost: see counttest.
const (
	mostPerToken  = 20.5 // allocations of a token: 16.4
	mostKilobytes = 0.9  // of a token in a long answer: 0.72
	mostPerStep   = 13   // allocations of a call and its result, each time that they are sent: 10.4
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
		Final:            `{"choices":[{"index":0,"delta":{},"finish_reason"`,
		Key:              `"content":"`,
		Fault:            "data: {\"error\":{\"message\":\"Overloaded\"}}\n\n",
		SameIDs:          wiretest.Recording(t, "twins.sse"),
		InvalidArguments: wiretest.Recording(t, "odd_arguments.sse"),
		Ping:             ": OPENROUTER PROCESSING",
	}
}

func TestWholeOrAnErrorWhereverItIsCut(t *testing.T)         { bench(t).Cut(t) }
func TestWholeOrAnErrorWhateverByteIsChanged(t *testing.T)   { bench(t).Garble(t) }
func TestWholeOrAnErrorWhateverTheStreamIsLike(t *testing.T) { bench(t).Faults(t) }
func TestWhatServersRefuseWith(t *testing.T)                 { bench(t).Refusals(t) }
func TestWhatBecomesOfTheConnection(t *testing.T)            { bench(t).Connection(t) }
func TestWhatCountsAsASignOfLife(t *testing.T)               { bench(t).Limits(t) }

func TestWhatIsSentForEveryKindOfQuestion(t *testing.T) { bench(t).Sent(t, NameOpenAI, nil) }

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
