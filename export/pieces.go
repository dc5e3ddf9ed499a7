package export

import (
	"strings"

	"pawl/lifecycle"
)

// pieces masks what a model wrote where it is recorded in pieces: a secret may
// begin in one record and end in the next. It is fed records in order and keeps,
// for each run that is writing, the end of what came so far.
type pieces struct {
	hide mask
	ends map[stream]end
}

// stream is a text that comes in pieces.
type stream struct {
	run      lifecycle.RunID
	thinking bool
}

// end is the newest part of a stream, unmasked. hidden says that it closes with
// a secret, or with what may be the beginning of one, and was written so.
type end struct {
	text   string
	hidden bool
}

// How much of a stream is kept: enough to know what a value is by the name
// before it, and more while a secret is open (a private key is about 3 KB).
const (
	keptEnd  = 256
	keptOpen = 16 << 10
)

func newPieces(hide mask) *pieces {
	return &pieces{hide: hide, ends: map[stream]end{}}
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

// next masks one piece. Whatever may be the beginning of a secret at its end is
// hidden at once: the next record is too late.
func (p *pieces) next(of stream, piece string) string {
	before := p.ends[of]
	whole := before.text + piece
	found := p.hide.find(whole)
	if from := p.hide.opens(whole); from < len(whole) {
		found = merge(append(found, span{from, len(whole)}))
	}
	now := end{text: whole[max(0, len(whole)-keptEnd):]}
	if n := len(found); n > 0 && found[n-1].to == len(whole) {
		from := max(min(found[n-1].from, len(whole)-len(now.text)), len(whole)-keptOpen)
		now = end{text: whole[from:], hidden: true}
	}
	p.ends[of] = now
	return cover(whole, found, len(before.text), before.hidden)
}

// opens is where the beginning of a secret stands at the end of s, or len(s).
func (m mask) opens(s string) int {
	const least = 4 // letters of a literal that give it away
	from := len(s)
	tail := s[max(0, len(s)-keptEnd):]
	for _, beginning := range unfinished() {
		if !containsAny(tail, beginning.hints) {
			continue
		}
		if at := beginning.pattern.FindStringSubmatchIndex(tail); at != nil {
			from = min(from, len(s)-len(tail)+at[2])
		}
	}
	for _, literal := range m.literals {
		for n := min(len(literal)-1, len(s)); n >= least; n-- {
			if strings.HasSuffix(s, literal[:n]) {
				from = min(from, len(s)-n)
				break
			}
		}
	}
	return from
}
