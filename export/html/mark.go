package html

import (
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
)

// markClass is what a mark is in the picture: the class of its element.
type markClass string

// The classes of marks, stretches first.
const (
	markModel    markClass = "model"    // a request to the model is under way
	markTool     markClass = "tool"     // a tool works
	markFaulty   markClass = "faulty"   // a tool that ended with an error
	markQuestion markClass = "question" // a person is asked
	markRetry    markClass = "retry"    // the model's server is waited for

	markMessage  markClass = "message"  // a message was taken in
	markTold     markClass = "told"     // the parent was told of an end
	markCompact  markClass = "compact"  // the transcript was summed up
	markDetached markClass = "detached" // a person sent it to the background
	markWarning  markClass = "warning"  // a warning, a nudge, overdue
	markDenied   markClass = "denied"   // a call was refused
	markStop     markClass = "stop"     // somebody asked for its end
	markEnd      markClass = "end"      // it ended
)

// markClasses lists them in the order in which they are drawn.
func markClasses() []markClass {
	return []markClass{
		markModel, markTool, markFaulty, markQuestion, markRetry,
		markMessage, markTold, markCompact, markDetached, markWarning, markDenied, markStop, markEnd,
	}
}

// spans reports whether marks of this class are stretches of time.
func (c markClass) spans() bool {
	switch c {
	case markModel, markTool, markFaulty, markQuestion, markRetry:
		return true
	case markMessage, markTold, markCompact, markDetached, markWarning, markDenied, markStop, markEnd:
		return false
	}
	return false
}

// classOf is the class of a mark; empty for one that is not drawn: a step is its model and
// its tools, and the run itself has the times of its queue.
func classOf(m *lanes.Mark) markClass {
	switch m.Kind {
	case lifecycle.SpanQueued, lifecycle.SpanStep:
		return ""
	case lifecycle.SpanModel:
		return markModel
	case lifecycle.SpanTool:
		if m.Faulty {
			return markFaulty
		}
		return markTool
	case lifecycle.SpanQuestion:
		return markQuestion
	case lifecycle.SpanWaiting:
		return markRetry
	case lifecycle.SpanMessage:
		return markMessage
	case lifecycle.SpanTold:
		return markTold
	case lifecycle.SpanCompact:
		return markCompact
	case lifecycle.SpanDetached:
		return markDetached
	case lifecycle.SpanOverdue, lifecycle.SpanNudged, lifecycle.SpanWarned:
		return markWarning
	case lifecycle.SpanDenied:
		return markDenied
	case lifecycle.SpanStop:
		return markStop
	case lifecycle.SpanEnd:
		return markEnd
	}
	return ""
}
