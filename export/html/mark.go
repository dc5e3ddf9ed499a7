package html

import (
	"fmt"

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
	markLanded   markClass = "landed"   // its changes were brought into the folder
	markRewound  markClass = "rewound"  // files or the conversation were taken back
	markEnd      markClass = "end"      // it ended
)

// looks are the classes in the order in which they are drawn: what each is called, and the
// shape of a moment around its own middle, so that no meaning stands in a colour alone. A
// stretch of time has none.
var looks = []struct {
	class markClass
	word  string
	shape markup
}{
	{markModel, "model request", ""},
	{markTool, "tool", ""},
	{markFaulty, "tool with an error", ""},
	{markQuestion, "question", ""},
	{markRetry, "wait for the server", ""},
	{markMessage, "message", "M-5-4h10v7h-6l-3 3v-3h-1z"},
	{markTold, "end delivered", "M0-6l5 6h-3v6h-4v-6h-3z"},
	{markCompact, "summarized", "M-5-5h10l-4 5 4 5h-10l4-5z"},
	{markDetached, "sent to the background", "M-5-3h5v-3l6 6-6 6v-3h-5z"},
	{markWarning, "warning", "M0-6l6 11h-12z"},
	{markDenied, "denial", "M-5-3l2-2 3 3 3-3 2 2-3 3 3 3-2 2-3-3-3 3-2-2 3-3z"},
	{markStop, "stop requested", "M-5-5h10v10h-10z"},
	{markLanded, "landed", "M-2-6h4v5h4l-6 7-6-7h4z"},
	{markRewound, "rewound", "M-6 0l6-6v4h6v4h-6v4z"},
	{markEnd, "end", "M0-6a6 6 0 1 0 .01 0z"},
}

func (c markClass) look() (word string, shape markup) {
	for _, l := range looks {
		if l.class == c {
			return l.word, l.shape
		}
	}
	panic(fmt.Sprintf("export/html: %q is no class of marks", c))
}

func (c markClass) sign(state markup) markup {
	_, shape := c.look()
	return `<path class="` + markup(c) + " " + state + `" d="` + shape + `"/>`
}

// classOf is the class of a mark; empty for one that is not drawn: a step is its model and
// its tools, and the run itself has the times of its queue and says where it ran.
func classOf(m *lanes.Mark) markClass {
	switch m.Kind {
	case lifecycle.SpanQueued, lifecycle.SpanStep, lifecycle.SpanPlaced:
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
	case lifecycle.SpanLanded:
		return markLanded
	case lifecycle.SpanRewound:
		return markRewound
	case lifecycle.SpanEnd:
		return markEnd
	}
	return ""
}
