package html

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/export/book"
	"pawl/export/exporttest"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func lived(from, to time.Duration) lifecycle.Run {
	return lifecycle.Run{State: lifecycle.StateCompleted, SpawnedAt: noon.Add(from), StartedAt: noon.Add(from), EndedAt: noon.Add(to)}
}

// A pause that is short beside the whole stays; a long one is cut to a gap.
func TestTheAxisIsToScaleButForLongPauses(t *testing.T) {
	a := newAxis([]lifecycle.Run{lived(0, time.Minute), lived(70*time.Second, 2*time.Minute), lived(9*time.Hour, 9*time.Hour+2*time.Minute)}, noon)
	require.Len(t, a.scale, 2)
	require.Equal(t, 4*time.Minute, a.scale.Busy())
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
			ticks := 0
			for range a.scale.Ticks(a.begin, aboutTicks) {
				ticks++
			}
			require.LessOrEqual(t, ticks, 40+len(a.scale))
		}
	}
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
	for class, n := range map[markClass]int{markTool: 2, markQuestion: 1, markRetry: 1} {
		marks := slices.Collect(line.of["r-1"].of(class))
		require.Len(t, marks, n, "%s", class)
		require.Equal(t, s.Clock, marks[0].To)
		if class == markTool {
			require.Equal(t, "read · a.go", marks[0].Label)
		}
	}
}

// Diffs are held up to a bound, and the page says when there were more.
func TestDiffsAreBounded(t *testing.T) {
	c := newCallDiffs()
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
	words, classes := map[string]bool{}, map[markClass]bool{"": true}
	for i, look := range looks {
		require.NotEmpty(t, look.word)
		require.False(t, words[look.word] || classes[look.class], "%s stands twice", look.word)
		words[look.word], classes[look.class] = true, true
		require.Equal(t, i < 5, look.shape == "", "a moment has a shape, a stretch has none, and those come first")
		require.Contains(t, string(pageStyle), "."+string(look.class))
	}
	require.Panics(t, func() { markClass("poem").look() })
	drawn := 1 // faulty tools, which are a kind of their own
	for _, kind := range lifecycle.SpanKinds() {
		class := classOf(&lanes.Mark{Kind: kind})
		require.True(t, classes[class], "%s has no look", class)
		require.Equal(t, kind == lifecycle.SpanQueued || kind == lifecycle.SpanStep || kind == lifecycle.SpanPlaced, class == "", "%s", kind)
		if class != "" {
			drawn++
		}
	}
	require.LessOrEqual(t, drawn, fewMarks, "each kind has room for a mark")
}
