package lanes

import (
	"cmp"
	"time"

	"pawl/lifecycle"
)

// Mark is something that a lane shows: a stretch of time, or a moment.
type Mark struct {
	Kind     lifecycle.SpanKind
	Seq      lifecycle.Seq // of the record that began it: its name
	From, To time.Time     // of a moment both are the same
	Under    bool          // it is under way: To is now
	Faulty   bool          // a tool that ended with an error
	State    lifecycle.State
	Cause    lifecycle.Cause // both of an end
	Step     int
	Call     lifecycle.CallID // of a tool, a question or a denial
	Of       lifecycle.RunID  // the run whose end it tells
	Label    string           // what it is, in the words of its printer, who bounds them
	More     int              // marks that were joined to it
	Took     time.Duration    // of all of them together
}

// MarkOf is the mark of a span, without a label.
func MarkOf(s lifecycle.Span) Mark {
	m := Mark{Kind: s.Kind, Seq: s.Seq, From: s.From, To: s.To, Took: s.To.Sub(s.From), Step: s.Step, Of: s.Of}
	switch e := s.Begun.(type) { // the others name no call, and end nothing
	case lifecycle.ToolStarted:
		m.Call = e.Call
	case lifecycle.PermissionAsked:
		m.Call = e.Call
	case lifecycle.PermissionDenied:
		m.Call = e.Call
	case lifecycle.Ended:
		m.State, m.Cause = e.State, e.Cause
	default:
	}
	if e, is := s.Done.(lifecycle.ToolEnded); is && s.Kind == lifecycle.SpanTool {
		m.Faulty = e.Status == lifecycle.ToolError
	}
	return m
}

// Until gives a span that is under way an end: now, or its beginning where the clock was
// put back.
func Until(s lifecycle.Span, now time.Time) lifecycle.Span {
	s.To = s.From
	if now.After(s.From) {
		s.To = now
	}
	return s
}

// InTime orders marks as they began.
func InTime(a, b Mark) int {
	return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.Seq, b.Seq))
}

// alike orders marks by what is joined: by their kind, faulty ones apart.
func alike(a, b *Mark) int {
	if a.Kind == b.Kind && a.Faulty != b.Faulty {
		if a.Faulty {
			return 1
		}
		return -1
	}
	return cmp.Compare(a.Kind, b.Kind)
}
