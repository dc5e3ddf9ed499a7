package wiretest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/counttest"
)

// oneMore is what one thing more costs, between 20 of them and 120: what stands in both, as
// the connection does, does not count.
func oneMore(cost func(things int) float64) float64 { return (cost(120) - cost(20)) / 100 }

// piece is a text in every recording, as a piece of its own and in what repeats the whole.
const piece = "Hello, "

// long is the recording with that piece so many times, one event each.
func (b Bench) long(pieces int) string {
	var out strings.Builder
	for event := range strings.SplitAfterSeq(b.Stream, "\n\n") {
		if strings.Contains(event, `"`+piece+`"`) {
			out.WriteString(strings.Repeat(event, pieces))
			continue
		}
		out.WriteString(strings.ReplaceAll(event, piece+"wörld.", strings.Repeat(piece, pieces)+"wörld."))
	}
	return out.String()
}

// heard asks once, and says how many times there was something new.
func (b Bench) heard(t testing.TB, p agent.Provider, req agent.Request) (deltas int) {
	answer, err := p.Stream(t.Context(), req, func(agent.Delta) { deltas++ })
	require.NoError(t, err)
	require.NotEmpty(t, answer.Message.Calls())
	return deltas
}

// worked is the request behind so many steps of a tool each: two messages a step.
func (b Bench) worked(steps int) agent.Request {
	req := b.Request
	for i := range steps {
		call := agent.Call{ID: "call_1", Name: "read", Input: fmt.Appendf(nil, `{"path":"refund_%d.go"}`, i)}
		req.Messages = append(req.Messages,
			agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "I look at the next file."}, {Call: &call}}},
			agent.Message{Role: agent.RoleTool, Parts: []agent.Part{{Result: &agent.CallResult{Call: call.ID, Name: call.Name, Text: strings.Repeat("package shop\n", 20)}}}})
	}
	return req
}

// Tokens holds what a piece of an answer allocates, from the bytes of the stream to the
// loop, to a bound; so too the kilobytes of a piece of a long answer, which are more where
// a piece costs more the more came before it.
func (b Bench) Tokens(t *testing.T, most, kilobytes float64) {
	one := oneMore(func(pieces int) float64 { return float64(b.heard(t, b.playing(b.long(pieces)), b.Request)) })
	require.Equal(t, 1.0, one, "each is told of")
	counttest.AtMost(t, "allocations of a token", most, oneMore(func(pieces int) float64 {
		p := b.playing(b.long(pieces))
		return testing.AllocsPerRun(5, func() { b.heard(t, p, b.Request) })
	}))
	const long = 16_000
	p := b.playing(b.long(long))
	counttest.AtMost(t, "kilobytes of a token among 16,000", kilobytes, counttest.Bytes(func() { b.heard(t, p, b.Request) })/long/1000)
}

// Requests holds what a step of a conversation allocates, each time that it is sent, to a
// bound.
func (b Bench) Requests(t *testing.T, most float64) {
	p := b.playing(b.Stream)
	counttest.AtMost(t, "allocations of a step in a request", most, oneMore(func(steps int) float64 {
		req := b.worked(steps)
		return testing.AllocsPerRun(5, func() { b.heard(t, p, req) })
	}))
}

// BenchTokens is an answer, from the bytes of its stream to the loop: short and long, for
// what a token costs may not grow with what came before it.
func (b Bench) BenchTokens(t *testing.B) {
	for _, tokens := range []int{1_000, 20_000} {
		t.Run(fmt.Sprint("tokens=", tokens), func(t *testing.B) {
			p := b.playing(b.long(tokens))
			t.ReportAllocs()
			for t.Loop() {
				b.heard(t, p, b.Request)
			}
			t.ReportMetric(float64(t.Elapsed().Nanoseconds())/float64(t.N*tokens), "ns/token")
		})
	}
}

// BenchRequests is a request behind 100 steps of one tool, from the messages to the bytes.
func (b Bench) BenchRequests(t *testing.B) {
	var bytes int64
	p := b.canned(func(r *http.Request) io.Reader {
		bytes += r.ContentLength
		return strings.NewReader(b.Stream)
	})
	req := b.worked(100)
	t.ReportAllocs()
	for t.Loop() {
		b.heard(t, p, req)
	}
	t.ReportMetric(float64(bytes)/float64(t.N), "bytes/request")
}
