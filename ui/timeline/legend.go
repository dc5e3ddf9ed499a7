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
	if run.State == "" {
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

// renderSigns says what the signs mean, below an empty line, in so many lines at most.
func renderSigns(c draw.Canvas, rows int) []draw.Styled {
	if rows == 0 {
		return nil
	}
	g := c.Glyphs
	const between = "   "
	var lines []sanitize.Text
	for _, sign := range []struct{ sign, means sanitize.Text }{
		{g.Lane.Queued, "queued"},
		{g.Lane.Works, "works"},
		{g.Lane.Model, "model"},
		{g.Lane.Tool, "tool"},
		{g.Lane.Mixed, "model, short tools"},
		{g.Lane.Faulty, "tool failed"},
		{g.Lane.Question, "question"},
		{g.Lane.Waiting, "wait"},
		{g.Lane.Message, "message"},
		{g.Told, "end delivered"},
		{g.Warning, "warning, overdue"},
		{g.Denied, "denied"},
		{g.Stopped, "stop"},
		{g.Lane.Detached, "to the background"},
		{g.Lane.Compact, "summarized"},
	} {
		entry, last := draw.Sprintf("%s %s", sign.sign, sign.means), len(lines)-1
		if last >= 0 && draw.Cells(lines[last])+draw.Cells(between)+draw.Cells(entry) <= c.Width-2 {
			lines[last] += between + entry
			continue
		}
		lines = append(lines, entry)
	}
	if len(lines) > rows {
		return nil // a part of it would be a riddle
	}
	drawn := []draw.Styled{""}
	for _, line := range lines {
		drawn = append(drawn, "  "+c.Theme.Faint.Draw(line))
	}
	return drawn
}
