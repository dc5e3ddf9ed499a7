package anthropic

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
	for name, message := range map[string]string{
		"malformed":     "Anthropic sent an event that is not valid JSON",
		"wrong_index":   "Anthropic sent an answer that makes no sense: a piece of block 1, which has not begun",
		"skipped_block": "Anthropic sent an answer that makes no sense: block 1 began where block 0 was due",
		"no_reason":     "Anthropic sent an answer that makes no sense: it ended without a stop reason",
	} {
		_, _, err := ask(t, serve(t, wiretest.Streams(recording(t, name), nil, nil)), hello())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, message, failure.Message)
		require.True(t, failure.Temporary)
		require.Equal(t, lifecycle.FailProvider, failure.Kind)
	}
}

func TestErrorInMidStream(t *testing.T) {
	_, pieces, err := ask(t, serve(t, wiretest.Streams(recording(t, "overloaded"), nil, nil)), hello())
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
	require.Equal(t, agent.Response{Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 1}}, answer, "nothing but what it has cost so far")
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
