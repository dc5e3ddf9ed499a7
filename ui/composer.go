package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// composer is the text being typed to one session, with the cursor in it. It
// keeps the text as it was typed or pasted, and cleans it only to show it. Every
// change of the text goes through splice.
type composer struct {
	piece
	at   int // byte offset of the cursor, at the start of a character, never inside a folded paste
	goal int // the column that ↑ and ↓ try to keep, -1 for the cursor's own

	pasted int      // the number of the last paste of this message
	known  []string // pastes that were folded here: they fold again when they come back
	past   past
	kills  kills

	history []string
	browsed int   // how many prompts back ↑ went
	typed   piece // what stood here before

	wrapped wrapped
}

// set puts a text in the line that is not a change of the one that stood there:
// nothing of that can be undone.
func (c *composer) set(text string) {
	c.pasted = 0
	c.splice(0, len(c.text), c.folded(text))
	c.past = past{serial: c.past.serial}
}

// replace puts a text in the place of the whole one; it can be undone.
func (c *composer) replace(with piece) { c.splice(0, len(c.text), with) }

func (c *composer) empty() bool { return c.text == "" }

// clear empties the composer and remembers what stood there.
func (c *composer) clear() {
	if strings.TrimSpace(c.text) != "" {
		c.kills.add(c.piece)
	}
	c.replace(piece{})
	c.browsed = 0
}

// keep makes text what Ctrl+Y brings back.
func (c *composer) keep(text string) {
	if strings.TrimSpace(text) != "" {
		c.kills.add(piece{text: text})
	}
}

// restore puts text before what has been typed since.
func (c *composer) restore(text string) {
	switch c.text {
	case "", text:
		c.set(text)
		return
	}
	c.splice(0, 0, c.folded(strings.TrimRight(text, "\n")+"\n"))
	c.move(len(c.text))
}

func (c *composer) insert(text string) {
	c.splice(c.at, c.at, piece{text: unixLines(text)})
}

// unixLines ends every line as the composer does.
func unixLines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// delete removes a range, and the folded pastes that it touches as a whole; keep
// says that Ctrl+Y may bring it back.
func (c *composer) delete(from, to int, keep bool) {
	if from > to {
		from, to = to, from
	}
	from, to = c.outside(from, -1), c.outside(to, 1)
	if from == to {
		return
	}
	if keep {
		c.kill(from, to)
		return
	}
	c.splice(from, to, piece{})
}

// splice puts other text in the place of a stretch, with the cursor behind it. It
// is the one way in which the text changes.
func (c *composer) splice(from, to int, with piece) {
	c.past.add(c, from, to, with.text)
	folds := len(c.chips)
	c.piece = c.spliced(from, to, with)
	if folds != len(c.chips) || len(with.chips) > 0 {
		c.wrapped.rows = nil
	}
	c.at, c.goal = from+len(with.text), -1
}

func (c *composer) move(to int) {
	to = min(max(to, 0), len(c.text))
	by := 1
	if to < c.at {
		by = -1
	}
	c.at, c.goal = c.outside(to, by), -1
}

// recall goes back in the history of prompts, or forth. It reports false where
// there is no further one.
func (c *composer) recall(by int) bool {
	to := c.browsed + by
	if to < 0 || to > len(c.history) {
		return false
	}
	if c.browsed == 0 {
		c.typed = c.piece
	}
	c.browsed = to
	if to == 0 {
		c.replace(c.typed)
	} else {
		c.replace(c.folded(c.history[len(c.history)-to]))
	}
	return true
}

func (c *composer) remember(prompt string) {
	c.browsed = 0
	if n := len(c.history); n == 0 || c.history[n-1] != prompt {
		c.history = append(c.history, prompt)
	}
}

// beside is the room that the text leaves: for the sign, and for the cursor behind
// the last cell.
const beside = 3

// height is how many rows all of the text takes.
func (c *composer) height(v draw.Canvas) int { return len(c.rows(v.Width - beside)) }

// weighty is from how many bytes on a text is worth a word on what it costs.
const weighty = 20_000

// measure says how much of the text is not seen, and how much a long one asks of a
// model: a token is about four bytes.
func (c *composer) measure(v draw.Canvas, seen int) sanitize.Text {
	var parts []string
	if all := c.height(v); all > seen {
		parts = append(parts, string(draw.Sprintf("%d of %s lines", seen, words.Grouped(int64(all)))))
	}
	if n := len(c.text); n >= weighty {
		parts = append(parts, string(draw.Sprintf("about %s tokens", draw.Tokens(int64(n/4)))))
	}
	if len(parts) == 0 {
		return ""
	}
	return draw.Sprintf(" %s ", sanitize.Text(strings.Join(parts, " · ")))
}

// render draws the composer, at most height rows of it, with the row and column
// of the cursor. Without text it shows the placeholder.
func (c *composer) render(v draw.Canvas, placeholder sanitize.Text, height int) (lines []draw.Styled, y, x int) {
	sign := v.Theme.Accent.Draw(v.Glyphs.Prompt + " ")
	if c.text == "" {
		return []draw.Styled{sign + v.Theme.Faint.Draw(v.Cut(placeholder, v.Width-2))}, 0, 2
	}
	rows := c.rows(v.Width - beside)
	y, x = c.place(rows, v.Width-beside)
	first := 0
	if len(rows) > height {
		first = min(max(0, y-height/2), len(rows)-height)
	}
	for i := first; i < min(first+height, len(rows)); i++ {
		line := c.drawn(v, rows[i])
		if i == 0 {
			lines = append(lines, sign+line)
		} else {
			lines = append(lines, "  "+line)
		}
	}
	return lines, y - first, x + 2
}

// typeable reports whether text is something that can be typed.
func typeable(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && unicode.IsPrint(r)
}
