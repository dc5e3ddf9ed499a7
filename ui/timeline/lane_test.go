package timeline

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/draw"
)

// Marks stand where their time says, at any width and in any part that is shown: what
// came later is never left of what came before, each moment has its column unless one
// that weighs more stands there, and nothing is drawn that is not in the part.
func TestMarksStandWhereTheirTimeSays(t *testing.T) {
	kinds := []lifecycle.SpanKind{lifecycle.SpanMessage, lifecycle.SpanWarned, lifecycle.SpanDenied, lifecycle.SpanStop, lifecycle.SpanTold}
	c := canvasOf(false)
	rapid.Check(t, func(t *rapid.T) {
		var spans []lanes.Stretch
		at := time.Duration(0)
		for range rapid.IntRange(1, 6).Draw(t, "runs") {
			took := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "took"))
			spans = append(spans, ranFor(at, took))
			at += took + time.Duration(rapid.Int64Range(-int64(took), int64(9*time.Hour)).Draw(t, "pause"))
		}
		whole := newAxis(append([]lanes.Stretch(nil), spans...), rapid.IntRange(1, 250).Draw(t, "columns"))
		shown := whole
		if z := (zoom{}).by(1, whole.Busy/3, whole.Busy); !z.whole() && rapid.Bool().Draw(t, "zoomed") {
			shown = whole.within(z.lo, z.hi)
			require.Equal(t, z.hi-z.lo, shown.Busy)
		}
		var marks []lanes.Mark
		for i := range rapid.IntRange(0, 20).Draw(t, "marks") {
			in := spans[rapid.IntRange(0, len(spans)-1).Draw(t, "run")]
			from := in.From.Add(time.Duration(rapid.Int64Range(0, int64(in.To.Sub(in.From))).Draw(t, "from")))
			marks = append(marks, lanes.Mark{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Seq: lifecycle.Seq(i + 1), From: from, To: from})
		}
		l := newLane(c, shown)
		l.All(marks)
		drawn := 0
		for i := range marks {
			mark := &marks[i]
			x := shown.Column(mark.From)
			require.True(t, x >= 0 && x < shown.columns)
			for _, other := range marks {
				if mark.From.Before(other.From) {
					require.LessOrEqual(t, x, shown.Column(other.From))
				}
			}
			if shown.Holds(mark.From, mark.To) {
				require.GreaterOrEqual(t, l.cells[x].rank, rankOf(mark))
			}
		}
		for x, cell := range l.cells {
			if cell.rank == 0 {
				continue
			}
			drawn++
			require.True(t, anyMark(marks, func(m lanes.Mark) bool {
				return shown.Holds(m.From, m.To) && shown.Column(m.From) == x && rankOf(&m) == cell.rank
			}), "a sign in column %d that is nobody's", x)
		}
		require.LessOrEqual(t, drawn, len(marks))
		require.Equal(t, shown.columns, draw.Cells(l.Line()))
		if ticks := ticks(c, shown); ticks != "" {
			require.Equal(t, shown.columns, draw.Cells(ticks))
		}
	})
}

func anyMark(marks []lanes.Mark, is func(lanes.Mark) bool) bool {
	for _, m := range marks {
		if is(m) {
			return true
		}
	}
	return false
}

// A cell belongs to what took most of it: many short tools do not hide a model that was
// waited for nearly all the time, and are not hidden by it either.
func TestACellIsOfWhatTookMostOfItsTime(t *testing.T) {
	c := canvasOf(false)
	l := newLane(c, newAxis([]lanes.Stretch{ranFor(0, 100*time.Second)}, 10))
	stretch := func(kind lifecycle.SpanKind, from, took time.Duration) {
		l.mark(&lanes.Mark{Kind: kind, From: beginning.Add(from), To: beginning.Add(from + took), Took: took})
	}
	for i := range 50 {
		at := time.Duration(i) * time.Second
		stretch(lifecycle.SpanModel, at, 900*time.Millisecond)
		stretch(lifecycle.SpanTool, at+900*time.Millisecond, 100*time.Millisecond)
	}
	stretch(lifecycle.SpanTool, 50*time.Second, 10*time.Second)
	stretch(lifecycle.SpanModel, 60*time.Second, 10*time.Second)
	stretch(lifecycle.SpanTool, 72*time.Second, time.Millisecond)
	l.Settle()
	require.Equal(t, "╋╋╋╋╋█━█  ", ansi.Strip(string(l.Line())))
}

// No two kinds look the same on a lane, with and without UTF-8; but warnings, which are
// one, and a stop, which stands before the end that it led to.
func TestKindsAreToldApartWithoutColour(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		c, seen := canvasOf(ascii), map[string]lifecycle.SpanKind{}
		take := func(sign string, kind lifecycle.SpanKind) {
			require.Empty(t, seen[sign], "%q is %s too", sign, kind)
			require.Equal(t, 1, draw.Cells(sign))
			seen[sign] = kind
		}
		for _, kind := range lifecycle.SpanKinds() {
			switch kind {
			case lifecycle.SpanOverdue, lifecycle.SpanNudged, lifecycle.SpanEnd:
				continue
			}
			sign, _ := signOf(&c, &lanes.Mark{Kind: kind})
			take(string(sign), kind)
		}
		faulty, _ := signOf(&c, &lanes.Mark{Kind: lifecycle.SpanTool, Faulty: true})
		take(string(faulty), "a tool that failed")
		take(string(c.Glyphs.Lane.Mixed), "a model and tools")
	}
}

// The axis says round times since the session began, in the part that is shown, and
// leaves no label out of its room.
func TestTheAxisIsLabelledInRoundTimes(t *testing.T) {
	c := canvasOf(false)
	for _, row := range []struct {
		spans  []lanes.Stretch
		lo, hi time.Duration
		want   string
	}{
		{[]lanes.Stretch{ranFor(0, 54*time.Second)}, 0, 0, "│0s────────│15s───────│30s───────│45s───"},
		{[]lanes.Stretch{ranFor(0, 5*time.Hour)}, 0, 0, "│0s─────│1h─────│2h─────│3h─────│4h─────"},
		{[]lanes.Stretch{ranFor(0, 54*time.Second)}, 20 * time.Second, 21 * time.Second, "│20s────│20.2s──│20.4s──│20.6s──│20.8s──"},
		{[]lanes.Stretch{ranFor(0, time.Minute), ranFor(9*time.Hour+90*time.Second, time.Minute)}, 0, 0, "│0s──────│30s──────┊│9h1m30s──│9h2m─────"},
	} {
		a := newAxis(row.spans, 40)
		if row.hi > 0 {
			a = a.within(row.lo, row.hi)
		}
		require.Equal(t, row.want, ansi.Strip(string(ticks(c, a))))
	}
}

func canvasOf(ascii bool) draw.Canvas {
	return draw.Canvas{Theme: draw.NewTheme(draw.Tint{Dark: true}), Glyphs: draw.NewGlyphs(ascii), Width: 80, Now: beginning}
}

// A lane is heaviest where its session works: a call that waits for other runs is as light as
// the time in a queue, and whatever is done meanwhile stands in front of it.
func TestAWaitIsLightAndWorkIsHeavy(t *testing.T) {
	at := func(from, took time.Duration) (time.Time, time.Time) {
		return beginning.Add(from), beginning.Add(from + took)
	}
	span := func(tool string, from, took time.Duration) lifecycle.Span {
		s := lifecycle.Span{Kind: lifecycle.SpanTool, Begun: lifecycle.ToolStarted{Call: "c", Tool: tool}, Done: lifecycle.ToolEnded{Call: "c", Tool: tool, Status: lifecycle.ToolOK}}
		s.From, s.To = at(from, took)
		return s
	}
	c := canvasOf(false)
	l := newLane(c, newAxis([]lanes.Stretch{ranFor(0, 10*time.Second)}, 10))
	for _, s := range []lifecycle.Span{span("read", 3*time.Second, time.Second), span("agent", 0, 10*time.Second)} {
		mark, shown := markOf(s)
		require.True(t, shown)
		l.All([]lanes.Mark{mark})
	}
	l.Settle()
	require.Equal(t, "┄┄┄█┄┄┄┄┄┄", ansi.Strip(string(l.Line())))
	wait, _ := markOf(span("agent", 0, time.Second))
	_, look := signOf(&c, &wait)
	require.Equal(t, c.Theme.Faint, look)
	failed := span("agent", 0, time.Second)
	failed.Done = lifecycle.ToolEnded{Call: "c", Tool: "agent", Status: lifecycle.ToolError}
	mark, _ := markOf(failed)
	require.True(t, mark.Faulty && mark.Kind == lifecycle.SpanTool, "what failed is no wait")
}

// Where time is left out the axis says so, and so does each lane, in one column.
func TestACutAxisShowsItsCutOnEachLane(t *testing.T) {
	for ascii, want := range map[bool]string{false: "──────────┊──────────", true: "__________/__________"} {
		c := canvasOf(ascii)
		spans := []lanes.Stretch{ranFor(0, time.Minute), ranFor(9*time.Hour, time.Minute)}
		a := newAxis(spans, 21)
		l := newLane(c, a)
		for _, s := range spans {
			l.Run(&lifecycle.Run{State: lifecycle.StateRunning, SpawnedAt: s.From, StartedAt: s.From, EndedAt: s.To})
		}
		require.Len(t, a.cuts(), 1)
		require.Equal(t, []rune(want)[10], []rune(ansi.Strip(string(l.Line())))[10])
		require.Equal(t, []rune(want)[10], []rune(ansi.Strip(string(ticks(c, a))))[10])
		var many []lanes.Stretch
		for i := range 12 {
			many = append(many, ranFor(time.Duration(i)*time.Hour, time.Minute))
		}
		crowded := newAxis(many, 21)
		require.Empty(t, crowded.cuts(), "too many for columns of their own")
		require.Contains(t, ansi.Strip(string(ticks(c, crowded))), string(c.Glyphs.Lane.Cut), "and the axis still shows them")
		require.Contains(t, string(draw.JoinLines(renderSigns(c, seldom{cut: true}, 9))), "time left out")
		require.NotContains(t, string(draw.JoinLines(renderSigns(c, seldom{}, 9))), "time left out")
	}
}

// What the legend says of a sign it says in the colour that the lanes have it in.
func TestTheLegendHasTheColoursOfTheLanes(t *testing.T) {
	c := canvasOf(false)
	c.Theme = draw.NewTheme(draw.Tint{Dark: true, Shades: draw.Many})
	legend := draw.JoinLines(renderSigns(c, seldom{placed: true}, 9))
	for _, kind := range lifecycle.SpanKinds() {
		if kind == lifecycle.SpanEnd {
			continue // its sign is that of the state
		}
		sign, look := signOf(&c, &lanes.Mark{Kind: kind})
		require.Contains(t, legend, string(look.Draw(sign)), kind)
	}
	wait := lanes.Mark{Kind: lifecycle.SpanWaiting, Call: "c"}
	sign, look := signOf(&c, &wait)
	require.Contains(t, legend, string(look.Draw(sign)))
	run := newLane(c, newAxis([]lanes.Stretch{ranFor(0, time.Second)}, 4))
	run.Run(&lifecycle.Run{State: lifecycle.StateFailed, SpawnedAt: beginning, StartedAt: beginning, EndedAt: beginning.Add(time.Second)})
	require.Contains(t, legend, string(c.Theme.Dim.Draw(c.Glyphs.Lane.Works)))
	require.Contains(t, string(run.Line()), string(c.Theme.Dim.Draw("───")))
}
