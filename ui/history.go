package ui

import (
	"slices"
	"time"

	"pawl/lifecycle"
)

// chronicle is what the timeline knows of the log beside the runs: what each session
// did when. It is a fold of all records in their order. Those of a new session it has
// as they come. Those of an old one it reads when the timeline is first asked for, by
// pages, and goes on with what comes:
//
//	ctrl+t ──► read ──► page ──► fold ──► read … until nothing is missing
//	take ──► follow: the next in order is folded; others the pages have, or will have
type chronicle struct {
	spans   lifecycle.Spans
	strips  map[lifecycle.SessionID]*strip
	seq     lifecycle.Seq // the last record in it
	wanted  bool          // somebody has looked at the timeline
	reading bool
	trouble string // why the log could not be read
}

// fold takes in the next record in order; others change nothing.
func (h *chronicle) fold(rec lifecycle.Record) {
	if rec.Seq != h.seq+1 {
		return
	}
	h.seq = rec.Seq
	h.spans.Note(rec, h.keep)
}

// keep puts a span that is over on its lane.
func (h *chronicle) keep(s lifecycle.Span) {
	mark, shown := laneMarkOf(s)
	if !shown {
		return
	}
	lane := h.strips[s.Session]
	if lane == nil {
		if h.strips == nil {
			h.strips = map[lifecycle.SessionID]*strip{}
		}
		lane = &strip{}
		h.strips[s.Session] = lane
	}
	lane.add(mark, min(max(fewMarks, allMarks/len(h.strips)), manyMarks))
}

// marks lists what a session did, as it began, with what is under way.
func (h *chronicle) marks(session lifecycle.SessionID, now time.Time) []laneMark {
	var marks []laneMark
	if lane := h.strips[session]; lane != nil {
		marks = slices.Clone(lane.inOrder())
	}
	over := len(marks)
	marks = append(marks, h.underWay(now)[session]...)
	if len(marks) > over {
		slices.SortStableFunc(marks, inTime)
	}
	return marks
}

// underWay is what the sessions are at.
func (h *chronicle) underWay(now time.Time) map[lifecycle.SessionID][]laneMark {
	open := map[lifecycle.SessionID][]laneMark{}
	h.spans.Open(func(s lifecycle.Span) {
		s.To = s.From
		if now.After(s.From) {
			s.To = now
		}
		if mark, shown := laneMarkOf(s); shown {
			mark.under = true
			open[s.Session] = append(open[s.Session], mark)
		}
	})
	return open
}
