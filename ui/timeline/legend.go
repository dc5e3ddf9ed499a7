package timeline

import (
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// renderMark says what the cursor is on, on one or two lines; at the right edge how
// the session of the lane stands.
func (v *View) renderMark(c draw.Canvas, s Session, g chart, rows int) []draw.Styled {
	what, when := v.renderStanding(c, s), draw.Styled("")
	if mark, on := v.Cursor(s); on {
		what, when = markWords(c, s, mark), markTimes(c, g, mark)
	}
	if rows < 2 {
		return draw.Indent([]draw.Styled{c.CutStyled(c.Join(what, when), c.Width-2)})
	}
	return draw.Indent([]draw.Styled{c.CutStyled(what, c.Width-2), c.CutStyled(when, c.Width-2)})
}

// markWords are what a mark is, in full.
func markWords(c draw.Canvas, s Session, mark lanes.Mark) draw.Styled {
	sign, look := signOf(&c, &mark)
	what, label := kindWords(mark), sanitize.Line(mark.Label)
	switch {
	case mark.More > 0:
		what, label = draw.Sprintf("%s %s, and %d more close to it", what, label, mark.More), ""
	case mark.Kind == lifecycle.SpanTold:
		what, label = "delivered the end of", wording.Name(s.Runs.Run(mark.Of))
	case mark.Kind == lifecycle.SpanEnd && label != "":
		what += ","
	}
	return look.Draw(sign+" ") + c.Theme.Text.Draw(what+" ") + c.Theme.Strong.Draw(label)
}

// markTimes are when a mark was, for how long, and in which step.
func markTimes(c draw.Canvas, g chart, mark lanes.Mark) draw.Styled {
	times := draw.Sprintf("at %s, %s", words.Rounded(max(0, mark.From.Sub(g.axis.Begin))), mark.From.In(c.Now.Location()).Format("15:04:05"))
	var took, step draw.Styled
	if mark.To.After(mark.From) {
		took = c.Theme.Dim.Draw(draw.Sprintf("for %s", words.Rounded(mark.To.Sub(mark.From))))
	}
	if mark.Under {
		took += c.Theme.Dim.Draw(" so far")
	}
	if mark.Step > 0 {
		step = c.Theme.Dim.Draw(draw.Sprintf("step %d", mark.Step))
	}
	return c.Join(c.Theme.Dim.Draw(times), took, step)
}

// renderStanding says how the session of the lane with the cursor stands.
func (v *View) renderStanding(c draw.Canvas, s Session) draw.Styled {
	run := s.Runs.Latest(v.Session)
	if run.State == "" || len(s.Order) == 0 {
		return ""
	}
	clock := func(what sanitize.Text, at time.Time) draw.Styled {
		return c.Theme.Dim.Draw(draw.Sprintf("%s %s", what, at.In(c.Now.Location()).Format("15:04:05")))
	}
	state := c.Theme.State(run.State).Draw(c.Glyphs.State(run.State, 0)+" ") + c.Theme.Dim.Draw(wording.Standing(run))
	begun := clock("began", run.SpawnedAt)
	var waits, waited, told draw.Styled
	if run.State == lifecycle.StateQueued {
		waits = c.Theme.Dim.Draw(draw.Sprintf("%s in line", wording.Ordinal(s.Runs.Position(run.ID))))
	}
	if queued := run.StartedAt.Sub(run.SpawnedAt); queued >= time.Second {
		waited = c.Theme.Dim.Draw(draw.Sprintf("queued %s", words.Duration(queued)))
	}
	if n := run.Notification; n != nil && !n.DeliveredAt.IsZero() {
		told = clock("delivered at", n.DeliveredAt)
	}
	return c.Join(state, waits, begun, waited, told)
}

// seldom are the signs that most pictures do not have.
type seldom struct{ cut, placed bool }

// renderSigns says what the signs mean, each in its colour, below an empty line, in so many
// lines at most.
func renderSigns(c draw.Canvas, has seldom, rows int) []draw.Styled {
	if rows == 0 {
		return nil
	}
	g, t := c.Glyphs, c.Theme
	type entry struct {
		sign, means sanitize.Text
		look        draw.Paint
	}
	entries := []entry{
		{g.Lane.Queued, "queued", t.Faint},
		{g.Lane.Works, "works", t.Dim},
		{g.Lane.Model, "model", t.Accent},
		{g.Lane.Tool, "tool", t.Good},
		{g.Lane.Mixed, "model, short tools", t.Accent},
		{g.Lane.Faulty, "tool failed", t.Bad},
		{g.Lane.Awaits, "waits for another run", t.Faint},
		{g.Lane.Waiting, "wait", t.Warn},
		{g.Lane.Question, "question", t.Warn},
		{g.Lane.Message, "message", t.User},
		{g.Told, "end delivered", t.Text},
		{g.Warning, "warning, overdue", t.Warn},
		{g.Denied, "denied", t.Warn},
		{g.Stopped, "stop", t.Warn},
		{g.Lane.Detached, "to the background", t.Text},
		{g.Lane.Compact, "summarized", t.Text},
		{g.Lane.Landed, "landed", t.Good},
		{g.Lane.Rewound, "rewound", t.User},
	}
	if has.placed {
		entries = append(entries, entry{g.Lane.Placed, "taken by a worker", t.Text})
	}
	if has.cut {
		entries = append(entries, entry{g.Lane.Cut, "time left out", t.Faint})
	}
	const between draw.Styled = "   "
	var lines []draw.Styled
	for _, e := range entries {
		drawn, last := e.look.Draw(e.sign)+" "+t.Faint.Draw(e.means), len(lines)-1
		if last >= 0 && draw.Cells(lines[last])+draw.Cells(between)+draw.Cells(drawn) <= c.Width-2 {
			lines[last] += between + drawn
			continue
		}
		lines = append(lines, drawn)
	}
	if len(lines)+1 > rows {
		return nil // a part of it would be a riddle
	}
	return append([]draw.Styled{""}, draw.Indent(lines)...)
}
