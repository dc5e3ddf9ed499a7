package book

import (
	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Pieces masks model output that is recorded in pieces, where a secret may begin in one record
// and end in the next. It must get the records in order, and keeps for each run that is writing
// the end of its text so far.
type Pieces struct {
	Secrets mask.Mask
	ends    map[stream]*mask.Stream
}

// stream identifies a text that comes in pieces.
type stream struct {
	run      lifecycle.RunID
	thinking bool
}

// NewPieces returns Pieces for a log from its first record on.
func NewPieces(hide mask.Mask) *Pieces {
	return &Pieces{Secrets: hide, ends: map[stream]*mask.Stream{}}
}

// Mask returns the record with its piece masked. Fields of other events are masked when they are
// written.
func (p *Pieces) Mask(rec lifecycle.Record) lifecycle.Record {
	switch e := rec.Event.(type) {
	case lifecycle.Text:
		e.Text = p.next(stream{rec.Run, false}, e.Text)
		rec.Event = e
	case lifecycle.Thinking:
		e.Text = p.next(stream{rec.Run, true}, e.Text)
		rec.Event = e
	case lifecycle.StepStarted, lifecycle.ToolStarted, lifecycle.Waiting, lifecycle.Ended:
		delete(p.ends, stream{rec.Run, false})
		delete(p.ends, stream{rec.Run, true})
	default: // the streams go on
	}
	return rec
}

func (p *Pieces) next(of stream, piece string) string {
	s := p.ends[of]
	if s == nil {
		s = &mask.Stream{}
		p.ends[of] = s
	}
	return s.Next(p.Secrets, piece)
}
