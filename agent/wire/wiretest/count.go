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

// perItem is the cost of one more item, measured between 20 and 120, which leaves out
// fixed costs such as the connection's.
func perItem(cost func(things int) float64) float64 { return (cost(120) - cost(20)) / 100 }

// piece is a text in every recording, as a piece and in what repeats the whole.
const piece = "Hello, "

// repeated is the recording with that piece repeated, one event each.
func (b Bench) repeated(pieces int) string {
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

// countDeltas asks once, and counts the deltas with something in them.
func (b Bench) countDeltas(t testing.TB, p agent.Provider, req agent.Request) (deltas int) {
	answer, err := p.Stream(t.Context(), req, func(agent.Delta) { deltas++ })
	require.NoError(t, err)
	require.NotEmpty(t, answer.Message.Calls())
	return deltas
}

// afterSteps is the request after this many steps of one tool: two messages per step.
func (b Bench) afterSteps(steps int) agent.Request {
	req := b.Request
	for i := range steps {
		call := agent.Call{ID: "call_1", Name: "read", Input: fmt.Appendf(nil, `{"path":"refund_%d.go"}`, i)}
		req.Messages = append(req.Messages,
			agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "I look at the next file."}, {Call: &call}}},
			agent.Message{Role: agent.RoleTool, Parts: []agent.Part{{Result: &agent.CallResult{Call: call.ID, Name: call.Name, Text: strings.Repeat("package shop\n", 20)}}}})
	}
	return req
}

// Tokens bounds the allocations per piece of an answer, from the bytes of the stream to
// the loop, and the kilobytes per piece of a long answer, which grow if a piece costs more
// the more came before it.
func (b Bench) Tokens(t *testing.T, most, kilobytes float64) {
	one := perItem(func(pieces int) float64 { return float64(b.countDeltas(t, b.playing(b.repeated(pieces)), b.Request)) })
	require.Equal(t, 1.0, one, "each is told of")
	counttest.AtMost(t, "allocations of a token", most, perItem(func(pieces int) float64 {
		p := b.playing(b.repeated(pieces))
		return testing.AllocsPerRun(5, func() { b.countDeltas(t, p, b.Request) })
	}))
	const long = 16_000
	p := b.playing(b.repeated(long))
	counttest.AtMost(t, "kilobytes of a token among 16,000", kilobytes, counttest.Bytes(func() { b.countDeltas(t, p, b.Request) })/long/1000)
}

// Requests bounds the allocations per step of a conversation, each time that it is sent.
func (b Bench) Requests(t *testing.T, most float64) {
	p := b.playing(b.Stream)
	counttest.AtMost(t, "allocations of a step in a request", most, perItem(func(steps int) float64 {
		req := b.afterSteps(steps)
		return testing.AllocsPerRun(5, func() { b.countDeltas(t, p, req) })
	}))
}

// BenchTokens measures an answer, from the bytes of its stream to the loop, short and
// long, because the cost of a token must not grow with what came before it.
func (b Bench) BenchTokens(t *testing.B) {
	for _, tokens := range []int{1_000, 20_000} {
		t.Run(fmt.Sprint("tokens=", tokens), func(t *testing.B) {
			p := b.playing(b.repeated(tokens))
			t.ReportAllocs()
			for t.Loop() {
				b.countDeltas(t, p, b.Request)
			}
			t.ReportMetric(float64(t.Elapsed().Nanoseconds())/float64(t.N*tokens), "ns/token")
		})
	}
}

// BenchRequests measures a request after 100 steps of one tool, from the messages to the bytes.
func (b Bench) BenchRequests(t *testing.B) {
	var bytes int64
	p := b.canned(func(r *http.Request) io.Reader {
		bytes += r.ContentLength
		return strings.NewReader(b.Stream)
	})
	req := b.afterSteps(100)
	t.ReportAllocs()
	for t.Loop() {
		b.countDeltas(t, p, req)
	}
	t.ReportMetric(float64(bytes)/float64(t.N), "bytes/request")
}
