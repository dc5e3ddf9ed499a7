package timeline

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/draw"
)

// signOf is how a mark looks. Its sign says the same without its colour.
func signOf(c *draw.Canvas, m *lanes.Mark) (sign sanitize.Text, look draw.Paint) {
	g, t := &c.Glyphs, &c.Theme
	switch m.Kind {
	case lifecycle.SpanQueued:
		return g.Lane.Queued, t.Faint
	case lifecycle.SpanStep:
		return g.Lane.Works, t.Dim
	case lifecycle.SpanModel:
		return g.Lane.Model, t.Accent
	case lifecycle.SpanTool:
		if m.Faulty {
			return g.Lane.Faulty, t.Bad
		}
		return g.Lane.Tool, t.Good
	case lifecycle.SpanQuestion:
		return g.Lane.Question, t.Warn
	case lifecycle.SpanWaiting:
		if awaits(m) {
			return g.Lane.Awaits, t.Faint
		}
		return g.Lane.Waiting, t.Warn
	case lifecycle.SpanMessage:
		return g.Lane.Message, t.User
	case lifecycle.SpanTold:
		return g.Told, t.Text
	case lifecycle.SpanCompact:
		return g.Lane.Compact, t.Text
	case lifecycle.SpanPlaced:
		return g.Lane.Placed, t.Text
	case lifecycle.SpanDetached:
		return g.Lane.Detached, t.Text
	case lifecycle.SpanOverdue, lifecycle.SpanNudged, lifecycle.SpanWarned:
		return g.Warning, t.Warn
	case lifecycle.SpanDenied:
		return g.Denied, t.Warn
	case lifecycle.SpanStop:
		return g.Stopped, t.Warn
	case lifecycle.SpanLanded:
		return g.Lane.Landed, t.Good
	case lifecycle.SpanRewound:
		return g.Lane.Rewound, t.User
	case lifecycle.SpanEnd:
		return g.State(m.State, 0), t.State(m.State)
	}
	return g.Dot, t.Text
}

// kindWords are a kind of mark as people say it.
func kindWords(m lanes.Mark) sanitize.Text {
	switch m.Kind {
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
	case lifecycle.SpanPlaced:
		return "placed"
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
	case lifecycle.SpanLanded:
		return "landed"
	case lifecycle.SpanRewound:
		return "rewound"
	case lifecycle.SpanEnd:
		return sanitize.Line(lifecycle.Status{State: m.State, Cause: m.Cause}.Words(lifecycle.ForCard))
	}
	return sanitize.Line(string(m.Kind))
}
