package gemini

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
	stream := recording(t, "tools")
	stream = stream[strings.Index(stream, "data: {\"candidates\": [{\"content\": {\"parts\": [{\"functionCall\""):]
	want, _, err := ask(t, serve(t, streams(stream, nil, nil)), hello())
	require.NoError(t, err)
	require.Len(t, want.Message.Calls(), 4)
	var at int
	var abrupt bool
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, stream[:at])
		if abrupt {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	})
	wholes := 0
	for at = range len(stream) + 1 {
		for _, abrupt = range []bool{false, true} {
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
	require.LessOrEqual(t, wholes, 10, "only the line ends of the last event can be missing")
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
	for stream, message := range map[string]string{
		recording(t, "malformed"):            "Gemini sent an event that is not valid JSON",
		recording(t, "other_shape"):          "Gemini sent an answer that makes no sense: interface conversion: interface {} is string, not []interface {}",
		"<html>Welcome</html>":               "Gemini sent an event that cannot be read",
		"":                                   "Gemini cut the answer off: the stream ended before its end",
		"data: {}\n\n":                       "Gemini cut the answer off: the stream ended before its end",
		"data: {\"candidates\": [null]}\n\n": "Gemini sent an answer that makes no sense: interface conversion: interface {} is nil, not map[string]interface {}",
	} {
		answer, _, err := ask(t, serve(t, streams(stream, nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.Equal(t, message, failure.Message)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
		require.Empty(t, answer)
	}
}

func TestCutGzip(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, recording(t, "text"))
		_ = z.Flush() // and no Close: the trailer is missing
	})
	_, _, err := ask(t, p, hello())
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.True(t, failure.Temporary)
}

func TestErrorInMidStream(t *testing.T) {
	for _, stream := range []string{
		recording(t, "unavailable"),
		"{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded. Please try again later.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n",
	} {
		_, _, err := ask(t, serve(t, streams(stream, nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.Equal(t, "Gemini: The model is overloaded. Please try again later. (HTTP 503)", failure.Error())
		require.True(t, failure.Temporary)
	}
}

// A stop in the middle of a stream comes back at once and lets go of the
// connection.
func TestStopInMidStream(t *testing.T) {
	begun := recording(t, "text")
	begun = begun[:strings.LastIndex(begun, "data:")]
	gone := make(chan struct{})
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, begun)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(t.Context())
	var text string
	answer, err := p.Stream(ctx, hello(), func(d agent.Delta) {
		if text += d.Text; text == "Hello, Wörld" {
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

// A panic of whoever listens is not the server's mistake.
func TestPanicOfListener(t *testing.T) {
	p := serve(t, streams(recording(t, "text"), nil, nil))
	require.PanicsWithValue(t, "mine", func() {
		_, _ = p.Stream(t.Context(), hello(), func(agent.Delta) { panic("mine") })
	})
}
