package lanes

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

const few = 16

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A lane holds only so many marks; those of one kind that stand close become one, which
// says for how many it stands and how long they took, and none is lost.
func TestALaneIsBounded(t *testing.T) {
	var l Lane
	var spans lifecycle.Spans
	at, came, took := noon, map[lifecycle.SpanKind]int{}, map[lifecycle.SpanKind]time.Duration{}
	note := func(event lifecycle.Event) {
		at = at.Add(time.Second)
		spans.Note(lifecycle.Record{Time: at, Event: event}, func(s lifecycle.Span) {
			if s.Kind == lifecycle.SpanStep {
				return
			}
			came[s.Kind]++
			took[s.Kind] += s.To.Sub(s.From)
			l.Add(MarkOf(s), few)
		})
		require.LessOrEqual(t, len(l.Marks), few)
	}
	const steps = 2000
	for n := range steps {
		call := lifecycle.CallID(fmt.Sprint("c-", n))
		note(lifecycle.StepStarted{Step: n + 1})
		note(lifecycle.ToolStarted{Call: call})
		note(lifecycle.ToolEnded{Call: call, Status: lifecycle.ToolOK})
		note(lifecycle.Warned{Kind: lifecycle.WarnSilence})
	}
	note(lifecycle.Ended{State: lifecycle.StateFailed})
	require.True(t, l.Joined())
	stood, lasted := map[lifecycle.SpanKind]int{}, map[lifecycle.SpanKind]time.Duration{}
	last := map[lifecycle.SpanKind]Mark{}
	for _, m := range l.InOrder() {
		stood[m.Kind] += 1 + m.More
		lasted[m.Kind] += m.Took
		require.False(t, m.To.Before(m.From))
		before, met := last[m.Kind]
		require.True(t, !met || m.From.After(before.To), "joined marks stand apart")
		last[m.Kind] = m
	}
	require.Equal(t, came, stood)
	require.Equal(t, took, lasted)
	require.Equal(t, steps, stood[lifecycle.SpanTool])
}

func TestALaneBearsAnyTimes(t *testing.T) {
	var l Lane
	var spans lifecycle.Spans
	add := func(s lifecycle.Span) { l.Add(MarkOf(s), few) }
	for n := range 200 {
		at := []time.Time{noon, {}, noon.Add(math.MaxInt64), noon.Add(math.MinInt64)}[n%4]
		spans.Note(lifecycle.Record{Time: at, Event: lifecycle.StepStarted{Step: n}}, add)
		spans.Note(lifecycle.Record{Time: noon, Event: lifecycle.Nudged{}}, add)
	}
	require.LessOrEqual(t, len(l.Marks), few)
}

// A tool that failed is no mark like one that did not, and stays apart when others are joined.
func TestWhatFailedIsJoinedWithNothingElse(t *testing.T) {
	var l Lane
	for n := range 1000 {
		l.Add(Mark{Kind: lifecycle.SpanTool, From: noon, To: noon, Seq: lifecycle.Seq(n), Faulty: n%2 == 0}, 4)
	}
	require.LessOrEqual(t, len(l.Marks), 4)
	stood := map[bool]int{}
	for _, m := range l.Marks {
		stood[m.Faulty] += 1 + m.More
	}
	require.Equal(t, map[bool]int{true: 500, false: 500}, stood)
}

func TestAMarkKnowsItsCallAndWhatCameOfIt(t *testing.T) {
	tool := lifecycle.Span{Kind: lifecycle.SpanTool, Begun: lifecycle.ToolStarted{Call: "c"}, Done: lifecycle.ToolEnded{Call: "c", Status: lifecycle.ToolError}}
	require.Equal(t, Mark{Kind: lifecycle.SpanTool, Call: "c", Faulty: true}, MarkOf(tool))
	end := lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey}
	require.Equal(t, Mark{Kind: lifecycle.SpanEnd, State: end.State, Cause: end.Cause}, MarkOf(lifecycle.Span{Kind: lifecycle.SpanEnd, Begun: end, Done: end}))
	under := Until(lifecycle.Span{From: noon}, noon.Add(-time.Hour))
	require.Equal(t, noon, under.To, "a clock was put back")
}

func TestLanesShareTheRoom(t *testing.T) {
	require.Equal(t, ManyMarks, Room(0, few))
	require.Equal(t, ManyMarks, Room(60, few))
	require.Equal(t, 240, Room(100, few))
	require.Equal(t, few, Room(10_000, few))
}
