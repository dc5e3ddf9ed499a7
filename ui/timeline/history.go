package timeline

import (
	"slices"
	"time"

	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
)

// fewMarks is how many marks a lane has at least: a screen has some 200 columns to show them
// in, and a zoom shows the others.
const fewMarks = 64

// History is what the timeline knows of the log beside the runs: what each session
// did when. It is a fold of all records in their order. Those of a new session it has
// as they come. Those of an old one it reads when the timeline is first asked for, by
// pages, and goes on with what comes:
//
//	ctrl+t ──► read ──► page ──► fold ──► read … until nothing is missing
//	take ──► follow: the next in order is folded; others the pages have, or will have
type History struct {
	spans   lifecycle.Spans
	Lanes   map[lifecycle.SessionID]*lanes.Lane
	Seq     lifecycle.Seq // the last record in it
	Wanted  bool          // somebody has looked at the timeline
	Reading bool
	Trouble string // why the log could not be read
}

// Fold takes in the next record in order; others change nothing.
func (h *History) Fold(rec lifecycle.Record) {
	if rec.Seq != h.Seq+1 {
		return
	}
	h.Seq = rec.Seq
	h.spans.Note(rec, h.keep)
}

// keep puts a span that is over on its lane.
func (h *History) keep(s lifecycle.Span) {
	mark, shown := markOf(s)
	if !shown {
		return
	}
	lane := h.Lanes[s.Session]
	if lane == nil {
		if h.Lanes == nil {
			h.Lanes = map[lifecycle.SessionID]*lanes.Lane{}
		}
		lane = &lanes.Lane{}
		h.Lanes[s.Session] = lane
	}
	lane.Add(mark, lanes.Room(len(h.Lanes), fewMarks))
}

// Marks lists what a session did, as it began, with what is under way.
func (h *History) Marks(session lifecycle.SessionID, now time.Time) []lanes.Mark {
	var marks []lanes.Mark
	if lane := h.Lanes[session]; lane != nil {
		marks = slices.Clone(lane.InOrder())
	}
	over := len(marks)
	marks = append(marks, h.Open(now, func(one lifecycle.SessionID) bool { return one == session })[session]...)
	if len(marks) > over {
		slices.SortStableFunc(marks, lanes.InTime)
	}
	return marks
}

// Open is what some sessions are at.
func (h *History) Open(now time.Time, wanted func(lifecycle.SessionID) bool) map[lifecycle.SessionID][]lanes.Mark {
	open := map[lifecycle.SessionID][]lanes.Mark{}
	h.spans.Open(func(s lifecycle.Span) {
		if !wanted(s.Session) {
			return
		}
		if mark, shown := markOf(lanes.Until(s, now)); shown {
			mark.Under = true
			open[s.Session] = append(open[s.Session], mark)
		}
	})
	return open
}

// Share is how much it has of a log that ends with a record, in hundredths.
func (h *History) Share(newest lifecycle.Seq) int { return int(100 * h.Seq / max(1, newest)) }
