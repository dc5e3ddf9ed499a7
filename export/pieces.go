package export

import (
	"pawl/agent/mask"
	"pawl/lifecycle"
)

// pieces masks what a model wrote where it is recorded in pieces: a secret may
// begin in one record and end in the next. It is fed records in order and keeps,
// for each run that is writing, the end of what came so far.
type pieces struct {
	hide mask.Mask
	ends map[stream]*mask.Stream
}

// stream is a text that comes in pieces.
type stream struct {
	run      lifecycle.RunID
	thinking bool
}

func newPieces(hide mask.Mask) *pieces {
	return &pieces{hide: hide, ends: map[stream]*mask.Stream{}}
}

// mask returns the record with its piece masked. Other fields of other events
// are masked string by string, when they are written.
func (p *pieces) mask(rec lifecycle.Record) lifecycle.Record {
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

func (p *pieces) next(of stream, piece string) string {
	s := p.ends[of]
	if s == nil {
		s = &mask.Stream{}
		p.ends[of] = s
	}
	return s.Next(p.hide, piece)
}
