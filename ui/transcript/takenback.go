package transcript

import (
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// takeBack marks the blocks that the model is no longer shown, and unmarks those that a rewind of a
// rewind has brought back.
func (c *Conversation) takeBack(rec lifecycle.Record) {
	c.rewinds = append(c.rewinds, rec)
	for _, b := range c.Blocks {
		if away := b.Seq != 0 && c.isTakenBack(b.Seq); away != b.away {
			b.away = away
			b.Changed()
		}
	}
}

// isTakenBack reports whether a record belongs to what is taken back. The newest rewind decides; what
// it goes back to is as it was then, with the rewinds before that.
func (c *Conversation) isTakenBack(seq lifecycle.Seq) bool {
	var before lifecycle.Seq // of what is kept, 0 for all
	for i := len(c.rewinds) - 1; i >= 0; i-- {
		rec := c.rewinds[i]
		e, _ := rec.Event.(lifecycle.Rewound)
		switch {
		case before != 0 && rec.Seq >= before: // it is taken back itself
			continue
		case seq >= rec.Seq:
			return false
		case seq >= e.To:
			return true
		}
		before = e.To
	}
	return false
}

// renderAway draws a block that is taken back: of a prompt one line, of what followed nothing. With
// details all of it is drawn.
func (b *Block) renderAway(c draw.Canvas) []draw.Styled {
	if b.Kind != said {
		return nil
	}
	text := draw.Sprintf("taken back: %s", sanitize.Line(words.FirstLine(b.Whole())))
	return []draw.Styled{c.Theme.Faint.Draw(c.Cut(text, c.Width))}
}
