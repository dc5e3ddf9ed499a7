package ui

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// signOf is how a mark looks. Its sign says the same without its colour.
func (c *canvas) signOf(m *laneMark) (sign sanitize.Text, look paint) {
	g, t := &c.glyphs, &c.theme
	switch m.kind {
	case lifecycle.SpanQueued:
		return g.lane.queued, t.faint
	case lifecycle.SpanStep:
		return g.lane.works, t.dim
	case lifecycle.SpanModel:
		return g.lane.model, t.accent
	case lifecycle.SpanTool:
		if m.faulty {
			return g.lane.faulty, t.bad
		}
		return g.lane.tool, t.good
	case lifecycle.SpanQuestion:
		return g.lane.question, t.warn
	case lifecycle.SpanWaiting:
		return g.lane.waiting, t.warn
	case lifecycle.SpanMessage:
		return g.lane.message, t.user
	case lifecycle.SpanTold:
		return g.told, t.text
	case lifecycle.SpanCompact:
		return g.lane.compact, t.text
	case lifecycle.SpanDetached:
		return g.lane.detached, t.text
	case lifecycle.SpanOverdue, lifecycle.SpanNudged, lifecycle.SpanWarned:
		return g.warning, t.warn
	case lifecycle.SpanDenied:
		return g.denied, t.warn
	case lifecycle.SpanStop:
		return g.stopped, t.warn
	case lifecycle.SpanEnd:
		return g.of(m.state, 0), t.of(m.state)
	}
	return g.dot, t.text
}

// kindWords are a kind of mark as people say it.
func kindWords(m laneMark) sanitize.Text {
	switch m.kind {
	case lifecycle.SpanQueued:
		return "waited for a slot"
	case lifecycle.SpanStep:
		return "step"
	case lifecycle.SpanModel:
		return "model"
	case lifecycle.SpanTool:
		return "tool"
	case lifecycle.SpanQuestion:
		return "question"
	case lifecycle.SpanWaiting:
		return "wait"
	case lifecycle.SpanMessage:
		return "message delivered"
	case lifecycle.SpanTold:
		return "delivered"
	case lifecycle.SpanCompact:
		return "summarized"
	case lifecycle.SpanDetached:
		return "sent to the background"
	case lifecycle.SpanOverdue:
		return "overdue"
	case lifecycle.SpanNudged:
		return "asked to report"
	case lifecycle.SpanWarned:
		return "warned"
	case lifecycle.SpanDenied:
		return "denied"
	case lifecycle.SpanStop:
		return "stop requested"
	case lifecycle.SpanEnd:
		return stateWords(m.state)
	}
	return sanitize.Line(string(m.kind))
}
