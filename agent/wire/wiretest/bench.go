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

// Bench is a provider with what its server says.
type Bench struct {
	New func(base string, client *http.Client) agent.Provider
	// Keyless is the provider without a key; nil where its servers may want none.
	Keyless func(base string) agent.Provider
	// Who is how errors name the server, "Anthropic", and Secret the key that no error
	// may show.
	Who, Secret string
	Request     agent.Request
	// Stream is a whole answer with text and calls, short, for every byte of it
	// is put to the test.
	Stream string
	// Final is how the last event that the answer needs begins, behind "data: ".
	Final string
	// Counted is the usage that the server has told of before that event.
	Counted lifecycle.Usage
	// Key is a field that holds a piece of the answer, quoted.
	Key string
	// Fault is an event with which the server breaks an answer off.
	Fault string
	// Twins is an answer with two calls of one id, Odd one whose call has
	// arguments that are no JSON: oops.
	Twins, Odd string
	// Opaque are the fields that hold arguments as JSON, not as a text.
	Opaque []string
	// Ping is an event, or a comment, that keeps the line open.
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

// canned is the provider on a body that is made anew for each request.
func (b Bench) canned(body func(*http.Request) io.Reader) agent.Provider {
	return b.New("http://canned.invalid", &http.Client{Transport: canned{body}})
}

// ask asks once, and holds the answer to what holds for all of them.
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
	answer.Usage = agent.Response{}.Usage // what the server has counted so far
	require.Empty(t, answer, "an error comes with no half answer")
	return answer, err
}

// whole is the answer of the recording.
func (b Bench) whole(t testing.TB) agent.Response {
	t.Helper()
	answer, err := b.ask(t.Context(), t, b.playing(b.Stream))
	require.NoError(t, err)
	require.NotEmpty(t, answer.Message.Text())
	require.NotEmpty(t, answer.Message.Calls())
	return answer
}

// playing is the provider on a stream.
func (b Bench) playing(stream string) agent.Provider {
	return b.canned(func(*http.Request) io.Reader { return strings.NewReader(stream) })
}

var minted = regexp.MustCompile(`^call_[0-9a-f]{32}$`)

// sense is what an answer says, without what is counted and minted.
func sense(answer agent.Response) agent.Response {
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

// temporary says whether an error is one after which the loop asks again.
func temporary(err error) bool {
	var failed *agent.ProviderError
	return errors.As(err, &failed) && failed.Temporary
}
