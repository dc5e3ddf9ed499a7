package gemini

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func TestBrokenStreams(t *testing.T) {
	for stream, message := range map[string]string{
		recording(t, "malformed"):            "Gemini sent an event that is not valid JSON",
		recording(t, "other_shape"):          "Gemini sent an answer that makes no sense: candidates is a string",
		"<html>Welcome</html>":               "Gemini sent an event that cannot be read",
		"":                                   "Gemini cut the answer off: the stream ended before its end",
		"data: {}\n\n":                       "Gemini cut the answer off: the stream ended before its end",
		"data: {\"candidates\": [null]}\n\n": "Gemini cut the answer off: the stream ended before its end",
	} {
		answer, _, err := ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure)
		require.Equal(t, message, failure.Message)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
		require.Empty(t, answer.Message)
	}
}

func TestErrorInMidStream(t *testing.T) {
	for _, stream := range []string{
		recording(t, "unavailable"),
		"{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded. Please try again later.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n",
	} {
		_, _, err := ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
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
	require.Equal(t, agent.Response{Usage: lifecycle.Usage{InputTokens: 25}}, answer, "nothing but what it has cost so far")
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
	p := serve(t, wiretest.Streams(recording(t, "text"), nil, nil))
	require.PanicsWithValue(t, "mine", func() {
		_, _ = p.Stream(t.Context(), hello(), func(agent.Delta) { panic("mine") })
	})
}
