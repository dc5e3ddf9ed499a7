package wiretest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// Bench is a provider with recordings of its server.
type Bench struct {
	New func(base string, client *http.Client) agent.Provider
	// Keyless is the provider without a key; nil if its servers may want none.
	Keyless func(base string) agent.Provider
	// Who is how errors name the server, "Anthropic", and Secret the key that no error
	// may show.
	Who, Secret string
	Request     agent.Request
	// Stream is a complete answer with text and calls. It is short, because every byte of
	// it is tested.
	Stream string
	// Final is how the data of the last event that the answer needs begins.
	Final string
	// Counted is the usage that the server has reported before that event.
	Counted lifecycle.Usage
	// Key is the field, in quotes, that holds a piece of the answer.
	Key string
	// Fault is an event with which the server aborts an answer.
	Fault string
	// SameIDs is an answer with two calls of one id; InvalidArguments one with a call
	// whose arguments are invalid JSON: oops.
	SameIDs, InvalidArguments string
	// Opaque lists the fields that hold arguments as JSON rather than as a string.
	Opaque []string
	// Ping is an event or a comment that keeps the connection open.
	Ping string
}

// canned answers every request with a body, without a socket.
type canned struct{ body func(*http.Request) io.Reader }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body:   io.NopCloser(c.body(r)),
	}, nil
}

// canned returns the provider with a body that is created anew for each request.
func (b Bench) canned(body func(*http.Request) io.Reader) agent.Provider {
	return b.New("http://canned.invalid", &http.Client{Transport: canned{body}})
}

// ask asks once, and checks what must hold for every answer.
func (b Bench) ask(ctx context.Context, t testing.TB, p agent.Provider) (agent.Response, error) {
	t.Helper()
	shown := ""
	answer, err := p.Stream(ctx, b.Request, func(d agent.Delta) { shown += d.Text })
	var failed *agent.ProviderError
	switch {
	case err == nil:
		require.NotEmpty(t, answer.Stop)
		return answer, nil
	case ctx.Err() != nil:
		require.Equal(t, ctx.Err(), err)
	default:
		require.ErrorAs(t, err, &failed)
		require.NotEmpty(t, failed.Message)
		require.NotContains(t, failed.Message, "\n")
	}
	answer.Usage, answer.Earlier = lifecycle.Usage{}, nil // what the server has counted so far
	require.Empty(t, answer, "an error comes with no half answer")
	return answer, err
}

// recorded is the answer of the recording.
func (b Bench) recorded(t testing.TB) agent.Response {
	t.Helper()
	answer, err := b.ask(t.Context(), t, b.playing(b.Stream))
	require.NoError(t, err)
	require.NotEmpty(t, answer.Message.Text())
	require.NotEmpty(t, answer.Message.Calls())
	return answer
}

// playing returns the provider with a stream.
func (b Bench) playing(stream string) agent.Provider {
	return b.canned(func(*http.Request) io.Reader { return strings.NewReader(stream) })
}

var minted = regexp.MustCompile(`^call_[0-9a-f]{32}$`)

// withoutCounts is an answer without usage and generated ids.
func withoutCounts(answer agent.Response) agent.Response {
	out := agent.Response{Stop: answer.Stop, Message: agent.Message{Role: answer.Message.Role}}
	for _, part := range answer.Message.Parts {
		if part.Call != nil {
			call := *part.Call
			if minted.MatchString(string(call.ID)) {
				call.ID = ""
			}
			part.Call = &call
		}
		out.Message.Parts = append(out.Message.Parts, part)
	}
	return out
}

// temporary reports whether the loop would retry after an error.
func temporary(err error) bool {
	var failed *agent.ProviderError
	return errors.As(err, &failed) && failed.Temporary
}
