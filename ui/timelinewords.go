package ui

import (
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// renderMarkWords says what the cursor is on, on one or two lines; at the right edge how
// the session of the lane stands.
func (m *model) renderMarkWords(c canvas, g chart, rows int) []styled {
	what, when := m.renderStanding(c), styled("")
	if mark, on := m.cursor(); on {
		what, when = m.markWords(c, mark), markTimes(c, g, mark)
	}
	if rows < 2 {
		return indented([]styled{c.cutStyled(c.joined(what, when), c.width-2)})
	}
	return indented([]styled{c.cutStyled(what, c.width-2), c.cutStyled(when, c.width-2)})
}

// markWords are what a mark is, in full.
func (m *model) markWords(c canvas, mark laneMark) styled {
	sign, look := c.signOf(&mark)
	what, label := kindWords(mark), sanitize.Line(mark.label)
	switch {
	case mark.more > 0:
		what, label = say("%s %s, and %d more close to it", what, label, mark.more), ""
	case mark.kind == lifecycle.SpanTold:
		what, label = "delivered the end of", name(m.runs.runs[mark.of])
	case mark.kind == lifecycle.SpanEnd && label != "":
		what += ","
	}
	return look.draw(sign+" ") + c.theme.text.draw(what+" ") + c.theme.strong.draw(label)
}

// markTimes are when a mark was, for how long, and in which step.
func markTimes(c canvas, g chart, mark laneMark) styled {
	times := say("at %s, %s", words.Rounded(max(0, mark.from.Sub(g.axis.begin))), mark.from.In(c.now.Location()).Format("15:04:05"))
	var took, step styled
	if mark.to.After(mark.from) {
		took = c.theme.dim.draw(say("for %s", words.Rounded(mark.to.Sub(mark.from))))
	}
	if mark.under {
		took += c.theme.dim.draw(" so far")
	}
	if mark.step > 0 {
		step = c.theme.dim.draw(say("step %d", mark.step))
	}
	return c.joined(c.theme.dim.draw(times), took, step)
}

// renderStanding says how the session of the lane with the cursor stands.
func (m *model) renderStanding(c canvas) styled {
	run := m.runs.of(m.timeline.session)
	if run.State == "" {
		return ""
	}
	clock := func(what sanitize.Text, at time.Time) styled {
		return c.theme.dim.draw(say("%s %s", what, at.In(c.now.Location()).Format("15:04:05")))
	}
	state := c.theme.of(run.State).draw(c.glyphs.of(run.State, 0)+" ") + c.theme.dim.draw(standing(run))
	begun := clock("began", run.SpawnedAt)
	var waits, waited, told styled
	if run.State == lifecycle.StateQueued {
		waits = c.theme.dim.draw(say("%s in line", ordinal(m.runs.position(run))))
	}
	if queued := run.StartedAt.Sub(run.SpawnedAt); queued >= second {
		waited = c.theme.dim.draw(say("queued %s", words.Duration(queued)))
	}
	if n := run.Notification; n != nil && !n.DeliveredAt.IsZero() {
		told = clock("delivered at", n.DeliveredAt)
	}
	return c.joined(state, waits, begun, waited, told)
}

// renderSigns says what the signs mean, below an empty line, in so many lines at most.
func (c canvas) renderSigns(rows int) []styled {
	if rows == 0 {
		return nil
	}
	g := c.glyphs
	const between = "   "
	var lines []sanitize.Text
	for _, sign := range []struct{ sign, means sanitize.Text }{
		{g.lane.queued, "queued"}, {g.lane.works, "works"}, {g.lane.model, "model"}, {g.lane.tool, "tool"}, {g.lane.mixed, "model, short tools"}, {g.lane.faulty, "tool failed"},
		{g.lane.question, "question"}, {g.lane.waiting, "wait"}, {g.lane.message, "message"}, {g.told, "end delivered"},
		{g.warning, "warning, overdue"}, {g.denied, "denied"}, {g.stopped, "stop"}, {g.lane.detached, "to the background"}, {g.lane.compact, "summarized"},
	} {
		entry, last := say("%s %s", sign.sign, sign.means), len(lines)-1
		if last >= 0 && cells(lines[last])+cells(between)+cells(entry) <= c.width-2 {
			lines[last] += between + entry
			continue
		}
		lines = append(lines, entry)
	}
	if len(lines) > rows {
		return nil // a part of it would be a riddle
	}
	drawn := []styled{""}
	for _, line := range lines {
		drawn = append(drawn, "  "+c.theme.faint.draw(line))
	}
	return drawn
}

// timelineHint is what the keys do on the timeline.
func (m *model) timelineHint() sanitize.Text {
	if m.width < 60 {
		return "enter open  esc close"
	}
	return "← → marks  + - zoom  enter open  esc close"
}
