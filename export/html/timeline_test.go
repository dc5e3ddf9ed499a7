package html

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func lived(from, to time.Duration) lifecycle.Run {
	return lifecycle.Run{State: lifecycle.StateCompleted, SpawnedAt: noon.Add(from), StartedAt: noon.Add(from), EndedAt: noon.Add(to)}
}

// A pause that is short beside the whole stays; a long one is cut to a gap.
func TestTheAxisIsToScaleButForLongPauses(t *testing.T) {
	a := newAxis([]lifecycle.Run{lived(0, time.Minute), lived(70*time.Second, 2*time.Minute), lived(9*time.Hour, 9*time.Hour+2*time.Minute)}, noon)
	require.Len(t, a.stretches, 2)
	require.Equal(t, 4*time.Minute, a.busy())
	x := func(after time.Duration) float64 { return a.x(noon.Add(after)) }
	require.InDelta(t, 1, x(0), 1e-9)
	require.InDelta(t, 1+48, x(2*time.Minute), 1e-9)
	require.InDelta(t, 1+24, x(time.Minute), 1e-9)
	require.InDelta(t, x(2*time.Minute), x(5*time.Hour), 1e-9, "what stands in a gap stands at its beginning")
	require.InDelta(t, 1+48+2, x(9*time.Hour), 1e-9)
	require.InDelta(t, 99, x(9*time.Hour+2*time.Minute), 1e-9)
	require.InDelta(t, 99, x(99*time.Hour), 1e-9)
	require.InDelta(t, 1, x(-time.Hour), 1e-9)
}

func TestTheAxisBearsAnyTimes(t *testing.T) {
	require.Empty(t, newAxis(nil, noon).ticks())
	require.InDelta(t, 1, newAxis(nil, noon).x(noon), 1e-9)
	many := []lifecycle.Run{lived(0, 0), lived(time.Hour, 0), lived(math.MinInt64, 0), lived(0, math.MaxInt64), {}}
	for n := range 1000 {
		many = append(many, lived(time.Duration(n)*24*time.Hour, time.Duration(n)*24*time.Hour+time.Second))
	}
	for n := range many {
		for _, runs := range [][]lifecycle.Run{many[:n], many[n : n+1]} {
			a := newAxis(runs, noon)
			for _, at := range []time.Time{{}, noon, noon.Add(math.MaxInt64), noon.Add(math.MinInt64)} {
				x := a.x(at)
				require.False(t, math.IsNaN(x) || x < 0.999 || x > 99.001, "%v", x)
			}
			require.LessOrEqual(t, len(a.ticks()), 40+len(a.stretches))
		}
	}
}

// A lane holds only so many marks; those that stand close become one, which says
// for how many it stands, and none is lost.
func TestALaneIsBounded(t *testing.T) {
	l := newLane(new(lived(0, time.Hour)), "run-1", fewMarks, strings.Clone)
	var spans lifecycle.Spans
	at := noon
	note := func(event lifecycle.Event) {
		at = at.Add(time.Second)
		spans.Note(lifecycle.Record{Time: at, Event: event}, l.take)
		require.LessOrEqual(t, l.kept, fewMarks)
	}
	const steps = 2000
	for n := range steps {
		note(lifecycle.StepStarted{Step: n + 1})
		note(exporttest.Started("c", "read", "a.go", "{}"))
		note(exporttest.ToolEnded("c", "read", lifecycle.ToolOK, agent.PlainView{}))
		note(lifecycle.Warned{Kind: lifecycle.WarnSilence})
	}
	note(lifecycle.Ended{State: lifecycle.StateFailed})
	for _, kind := range []markKind{markModel, markTool, markWarning} {
		stood := 0
		for i, m := range l.marks[kind] {
			stood += 1 + m.more
			require.False(t, m.to.Before(m.from))
			require.True(t, i == 0 || m.from.After(l.marks[kind][i-1].to))
		}
		require.Equal(t, steps, stood, "%s", kind)
	}
}

func TestALaneBearsAnyTimes(t *testing.T) {
	l := newLane(&lifecycle.Run{}, "run-1", fewMarks, strings.Clone)
	var spans lifecycle.Spans
	for n := range 200 {
		at := []time.Time{noon, {}, noon.Add(math.MaxInt64), noon.Add(math.MinInt64)}[n%4]
		spans.Note(lifecycle.Record{Time: at, Event: lifecycle.StepStarted{Step: n}}, l.take)
		spans.Note(lifecycle.Record{Time: noon, Event: lifecycle.Nudged{}}, l.take)
	}
	require.LessOrEqual(t, l.kept, fewMarks)
}

// What is under way at the end of an export is drawn up to there.
func TestALaneShowsWhatIsUnderWay(t *testing.T) {
	s := exporttest.NewStory(t)
	s.Spawn(exporttest.Root, "r-1", lifecycle.Spec{Trigger: lifecycle.TriggerUser}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1},
		exporttest.Started("a", "read", "a.go", "{}"), exporttest.Started("b", "read", "b.go", "{}"),
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Tool: "read"}}, lifecycle.Waiting{Why: "rate limited"}, lifecycle.Nudged{})
	b, err := book.Open(t.Context(), s.Source(), exporttest.Root, s.Upto())
	require.NoError(t, err)
	line, err := newTimeline(t.Context(), b)
	require.NoError(t, err)
	marks := line.of["r-1"].marks
	for kind, n := range map[markKind]int{markTool: 2, markQuestion: 1, markRetry: 1} {
		require.Len(t, marks[kind], n, "%s", kind)
		require.Equal(t, s.Clock, marks[kind][0].to)
	}
	require.Equal(t, "read · a.go", marks[markTool][0].label)
}

// Diffs are held up to a bound, and the page says when there were more.
func TestDiffsAreBounded(t *testing.T) {
	c := newChanges()
	c.room = 1000
	for n := range 100 {
		id := lifecycle.CallID(fmt.Sprint("c-", n))
		c.note(exporttest.Root, exporttest.ToolEnded(id, "edit", lifecycle.ToolOK, agent.DiffView{Path: "a.go", Diff: "-a\n+b\n"}))
	}
	require.True(t, c.full)
	require.NotEmpty(t, c.of)
	require.Less(t, len(c.of), 60)
	c.note(exporttest.Root, lifecycle.ToolEnded{Call: "x", View: []byte(`{"kind":"diff","view":7}`)})
	c.note(exporttest.Root, exporttest.ToolEnded("y", "read", lifecycle.ToolOK, agent.PlainView{Text: `"diff"`}))
	require.NotContains(t, c.of, book.Caller{Session: exporttest.Root, Call: "y"})
}

func TestEveryMarkHasItsWordAndItsSign(t *testing.T) {
	seen := map[string]markKind{}
	for _, kind := range markKinds() {
		require.NotEmpty(t, kind.word())
		require.NotContains(t, seen, kind.word())
		seen[kind.word()] = kind
		require.Equal(t, kind.spans(), string(kind.sign("")) == `<path class="`+string(kind)+` " d=""/>`, "a moment has a shape, a stretch has none")
		require.Contains(t, string(pageStyle), "."+string(kind))
	}
	require.Panics(t, func() { _ = markKind("poem").word() })
	require.Less(t, len(markKinds()), fewMarks)
}
