package transcript

import (
	"slices"
	"strings"
	"time"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// longSaid is how many lines a message of the user has at most while details are hidden, and
// longTold one of another; each is then cut to one line less.
const longSaid, longTold = 20, 6

// boldLines is the most lines of a message that are bold all through: of a longer one only the
// first is.
const boldLines = 3

func (b *Block) renderSaid(c draw.Canvas) []draw.Styled {
	look, most := c.Theme.Strong, longSaid
	switch b.from {
	case lifecycle.FromAgent:
		look, most = c.Theme.Text, longTold
	case lifecycle.FromPawl:
		look, most = c.Theme.Dim, longTold
	}
	sign := c.Theme.User.Draw(c.Glyphs.Prompt + " ")
	inner := c.Narrow(2).Prose()
	text := b.renderMessage(inner, look)
	if len(text) > most && !c.Details {
		text = append(text[:most-1:most-1], c.Theme.Faint.Draw(draw.Sprintf("%s %d more lines (ctrl+o)", c.Glyphs.More, len(text)-most+1)))
	}
	lines := append(draw.Hang(sign, text), draw.Indent(renderAttached(c.Narrow(2), b.attached))...)
	if how := c.Join(b.delivery(c.Theme.Faint)...); how != "" {
		lines = append(lines, "  "+how)
	}
	return lines
}

// delivery says who sent a message, and how it reached the session if it had to wait.
func (b *Block) delivery(look draw.Paint) []draw.Styled {
	var how []draw.Styled
	say := func(words sanitize.Text) { how = append(how, look.Draw(words)) }
	switch b.from {
	case lifecycle.FromAgent:
		say("from the main agent")
	case lifecycle.FromPawl:
		say("from Pawl")
	}
	if b.waited >= time.Second {
		say(draw.Sprintf("sent after %s", words.Duration(b.waited)))
	} else if b.step > 0 {
		say("delivered")
	}
	if b.step > 0 {
		say(draw.Sprintf("step %d", b.step))
	}
	return how
}

// renderMessage draws the text of a message: what was pasted as its mark while details are
// hidden, and no more than the first line of a long one in bold.
func (b *Block) renderMessage(c draw.Canvas, look draw.Paint) []draw.Styled {
	text := strings.TrimSpace(b.Text)
	var marks []sanitize.Text
	if !c.Details {
		text, marks = folded(text, b.pastes)
	}
	paragraphs := sanitize.Clean(text).Lines()
	draws := func(look draw.Paint, paragraphs []sanitize.Text) (lines []draw.Styled) {
		for _, p := range paragraphs {
			if !slices.ContainsFunc(marks, func(m sanitize.Text) bool { return strings.Contains(string(p), string(m)) }) {
				lines = append(lines, c.Paragraph(look, p)...)
				continue
			}
			lines = append(lines, c.Rewrap(withMarks(c, look, p, marks))...)
		}
		return lines
	}
	lines := draws(look, paragraphs)
	if look == c.Theme.Strong && len(lines) > boldLines {
		first := lines[0]
		lines = draws(c.Theme.Text, paragraphs)
		lines[0] = first
	}
	return lines
}

// withMarks draws a line in which marks of pastes stand.
func withMarks(c draw.Canvas, look draw.Paint, line sanitize.Text, marks []sanitize.Text) draw.Styled {
	var drawn draw.Styled
	for _, mark := range marks {
		if at := strings.Index(string(line), string(mark)); at >= 0 {
			drawn += look.Draw(line[:at]) + c.Theme.Accent.Draw(mark)
			line = line[at+len(mark):]
		}
	}
	return drawn + look.Draw(line)
}
