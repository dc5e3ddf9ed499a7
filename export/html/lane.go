package html

import (
	"fmt"
	"iter"
	"time"

	"pawl/export/book"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
)

// lane is one run on the timeline.
type lane struct {
	lanes.Lane
	run  *lifecycle.Run // as the book has it
	home string         // its anchor
}

func (l *lane) of(class markClass) iter.Seq[*lanes.Mark] {
	return func(yield func(*lanes.Mark) bool) {
		for i := range l.Marks {
			if m := &l.Marks[i]; classOf(m) == class && !yield(m) {
				return
			}
		}
	}
}

// anchor is the place of a mark in the transcripts. That of an end which was told is
// toldAnchor's.
func (l *lane) anchor(m *lanes.Mark) string {
	switch {
	case m.Kind == lifecycle.SpanTool, m.Kind == lifecycle.SpanQuestion, m.Kind == lifecycle.SpanDenied:
		return callAnchor(l.run.Session, m.Call)
	case m.Kind == lifecycle.SpanEnd, m.Step == 0:
		return l.home
	}
	return stepAnchor(l.home, m.Step)
}

// end is when the run ended, or how far the export reaches.
func (l *lane) end(at time.Time) time.Time { return l.run.SpawnedAt.Add(l.run.Elapsed(at)) }

func labelOf(s lifecycle.Span) string {
	switch e := s.Begun.(type) { //nolint:gochecksumtype // the others begin no span that is drawn
	case lifecycle.StepStarted:
		return fmt.Sprintf("the model, step %d", e.Step)
	case lifecycle.Waiting:
		return e.Why
	case lifecycle.ToolStarted:
		came := ""
		if end, is := s.Done.(lifecycle.ToolEnded); is {
			came = string(end.Status)
		}
		return book.Joined(e.Tool, e.Label, came)
	case lifecycle.PermissionAsked:
		return book.Joined("a question", e.Tool, e.Subject)
	case lifecycle.PermissionDenied:
		return book.Joined("denied", e.Tool, e.Subject, "by "+string(e.By))
	case lifecycle.MessageTaken:
		return book.Joined("a message from "+e.From, e.Text)
	case lifecycle.Warned:
		return book.Joined("warned", string(e.Kind), e.Message)
	case lifecycle.Nudged:
		return "asked to report: it had ended without text"
	case lifecycle.Overdue:
		return fmt.Sprintf("overdue after %s: the main agent stopped waiting", e.After)
	case lifecycle.Detached:
		return "sent to the background"
	case lifecycle.Compacted:
		return fmt.Sprintf("summarized: %s tokens to %s", words.Grouped(e.Before), words.Grouped(e.After))
	case lifecycle.StopRequested:
		return book.Joined("stop requested", e.Cause.Words(lifecycle.ForPage), e.Reason)
	case lifecycle.Landed:
		return e.Words("")
	case lifecycle.Rewound:
		return e.Words()
	case lifecycle.Ended:
		return book.Joined(string(e.State), e.Cause.Words(lifecycle.ForPage), e.Reason)
	default:
		return ""
	}
}
