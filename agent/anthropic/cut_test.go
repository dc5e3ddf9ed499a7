package anthropic

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// Wherever a stream is cut, politely or not, there is the whole answer or an
// error that says to ask again.
func TestCutAnywhere(t *testing.T) {
	for name, ways := range map[string][]bool{"text": {false, true}, "tools": {false}} {
		stream := recording(t, name)
		want, _, err := ask(t, serve(t, streams(stream, nil, nil)), hello())
		require.NoError(t, err)
		var at int
		var abrupt bool
		p := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, stream[:at])
			if abrupt {
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			}
		})
		wholes := 0
		for at = range len(stream) + 1 {
			for _, abrupt = range ways {
				answer, _, err := ask(t, p, hello())
				if err == nil {
					wholes++
					require.Equal(t, shape(want), shape(answer), "cut at %d", at)
					continue
				}
				var failure *agent.ProviderError
				require.ErrorAs(t, err, &failure, "cut at %d", at)
				require.Equal(t, lifecycle.FailProvider, failure.Kind)
				require.True(t, failure.Temporary)
				require.Empty(t, answer)
			}
		}
		require.GreaterOrEqual(t, wholes, 1, "the whole stream is an answer")
		require.LessOrEqual(t, wholes, 4, "only the last bytes can be missing")
	}
}

// shape leaves out what is minted anew for each answer.
func shape(r agent.Response) agent.Response {
	for i, part := range r.Message.Parts {
		if part.Call != nil && strings.HasPrefix(string(part.Call.ID), "call_") {
			minted := *part.Call
			minted.ID = ""
			r.Message.Parts[i].Call = &minted
		}
	}
	return r
}

func TestBrokenStreams(t *testing.T) {
	for name, message := range map[string]string{
		"malformed":     "Anthropic sent an event that is not valid JSON",
		"wrong_index":   "Anthropic sent an answer that makes no sense: a piece of block 1, which has not begun",
		"skipped_block": "Anthropic sent an answer that makes no sense: block 1 began where block 0 was due",
		"no_reason":     "Anthropic sent an answer that makes no sense: it ended without a stop reason",
	} {
		_, _, err := ask(t, serve(t, streams(recording(t, name), nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, message, failure.Message)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
	}
}

func TestCutGzip(t *testing.T) {
	stream := recording(t, "text")
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, stream[:len(stream)/2])
		_ = z.Flush() // and no Close: the trailer is missing
	})
	_, _, err := ask(t, p, hello())
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.True(t, failure.Temporary)
	require.Equal(t, "Anthropic cut the answer off: the stream ended before its end", failure.Message)
}

func TestErrorInMidStream(t *testing.T) {
	_, pieces, err := ask(t, serve(t, streams(recording(t, "overloaded"), nil, nil)), hello())
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.Equal(t, []agent.Delta{{Text: "Hel"}}, pieces)
	require.Equal(t, "Anthropic: Overloaded (HTTP 529)", failure.Error())
	require.True(t, failure.Temporary)
}

// A stop in the middle of a stream comes back at once and lets go of the
// connection.
func TestStopInMidStream(t *testing.T) {
	begun, _, _ := strings.Cut(recording(t, "text"), "event: content_block_stop")
	gone := make(chan struct{})
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, begun)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(t.Context())
	var text string
	answer, err := p.Stream(ctx, hello(), func(d agent.Delta) {
		if text += d.Text; text == "Hello, Wörld 🌍!" {
			cancel()
		}
	})
	require.Equal(t, context.Canceled, err)
	require.Empty(t, answer)
	<-gone
}

func TestStopBeforeHeaders(t *testing.T) {
	arrived, gone := make(chan struct{}), make(chan struct{})
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(arrived)
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	_, err := p.Stream(ctx, hello(), func(agent.Delta) {})
	require.Equal(t, context.Canceled, err)
	<-gone
}
