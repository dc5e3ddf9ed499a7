package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// Composer is the text being typed to one session, and the cursor in it. It keeps the text as it
// was typed or pasted, and cleans it only for display. Every change of the text goes through
// Splice.
type Composer struct {
	Piece
	At   int // byte offset of the cursor, at the start of a character and never inside a folded paste
	Goal int // the column that ↑ and ↓ try to keep, -1 for the cursor's own

	// Shells says that a text which begins with an exclamation mark is a command line of the user's
	// own: the mark is drawn as the sign before the text, and not in it.
	Shells bool

	Pasted int      // number of the last paste in this message
	known  []string // pastes that were folded here and fold again when they come back
	past   past
	Kills  Kills

	History []string
	Browsed int   // how many prompts back the history is
	typed   Piece // the text before browsing

	wrapped wrapped
}

// ShellMark is what a command line of the user's own begins with.
const ShellMark = "!"

// Shell reports whether the text is such a command line. What is pasted and stands folded is none: its
// beginning is not seen.
func (c *Composer) Shell() bool {
	if !c.Shells || !strings.HasPrefix(c.Text, ShellMark) {
		return false
	}
	_, folded := c.fold(0)
	return !folded
}

// LeaveShell makes a message of a command line.
func (c *Composer) LeaveShell() {
	if c.Shell() {
		at := c.At
		c.Splice(0, len(ShellMark), Piece{})
		c.Move(max(0, at-len(ShellMark)))
	}
}

// Set replaces the text without a way to undo it.
func (c *Composer) Set(text string) {
	c.Pasted = 0
	c.Splice(0, len(c.Text), c.Folded(text))
	c.past = past{serial: c.past.serial}
	c.Browsed = 0
}

// Replace replaces the whole text; it can be undone.
func (c *Composer) Replace(with Piece) { c.Splice(0, len(c.Text), with) }

// Empty reports whether nothing is typed.
func (c *Composer) Empty() bool { return c.Text == "" }

// Clear empties the composer; Ctrl+Y brings the text back.
func (c *Composer) Clear() {
	c.keep(c.Piece)
	c.Replace(Piece{})
	c.Browsed = 0
}

// Keep makes text what Ctrl+Y brings back.
func (c *Composer) Keep(text string) { c.keep(Piece{Text: text}) }

func (c *Composer) keep(p Piece) {
	if strings.TrimSpace(p.Text) != "" {
		c.Kills.add(p)
	}
}

// Restore puts text before what has been typed since.
func (c *Composer) Restore(text string) {
	switch c.Text {
	case "", text:
		c.Set(text)
		return
	}
	c.Splice(0, 0, c.Folded(strings.TrimRight(text, "\n")+"\n"))
	c.Move(len(c.Text))
}

// Insert puts text at the cursor.
func (c *Composer) Insert(text string) {
	c.Splice(c.At, c.At, Piece{Text: UnixLines(text)})
}

// UnixLines converts all line endings to newlines.
func UnixLines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// Delete removes a range, extended to whole folded pastes; with keep Ctrl+Y brings it back.
func (c *Composer) Delete(from, to int, keep bool) {
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
	c.Splice(from, to, Piece{})
}

// Splice replaces a range and puts the cursor after it. It is the only way to change the text.
func (c *Composer) Splice(from, to int, with Piece) {
	c.past.add(c, from, to, with.Text)
	folds := len(c.Chips)
	c.Piece = c.spliced(from, to, with)
	if folds != len(c.Chips) || len(with.Chips) > 0 {
		c.wrapped.rows = nil
	}
	c.At, c.Goal = from+len(with.Text), -1
	if c.Text == "" { // what is typed now is no prompt of the history that was changed
		c.Browsed = 0
	}
}

// Move sets the cursor, kept inside the text and outside of folded pastes.
func (c *Composer) Move(to int) {
	to = min(max(to, 0), len(c.Text))
	if c.Shell() {
		to = max(to, len(ShellMark))
	}
	by := 1
	if to < c.At {
		by = -1
	}
	c.At, c.Goal = c.outside(to, by), -1
}

// Recall goes back in the history of prompts, or forward. It reports false at its ends. Ctrl+Y brings
// back what was typed, and what a prompt was changed to.
func (c *Composer) Recall(by int) bool {
	to := c.Browsed + by
	if to < 0 || to > len(c.History) {
		return false
	}
	if c.Browsed == 0 {
		c.typed = c.Piece
	}
	if ring := c.Kills.Ring; c.Text != c.recalled() && (len(ring) == 0 || ring[len(ring)-1].Text != c.Text) {
		c.keep(c.Piece)
	}
	c.Browsed = to
	if to == 0 {
		c.Replace(c.typed)
	} else {
		c.Replace(c.Folded(c.History[len(c.History)-to]))
	}
	return true
}

// recalled is the prompt that was recalled, as it was; empty for none.
func (c *Composer) recalled() string {
	if c.Browsed == 0 || c.Browsed > len(c.History) {
		return ""
	}
	return c.History[len(c.History)-c.Browsed]
}

// Unsent is what was typed and not sent: what stood there before a prompt was recalled, with what that
// was changed to.
func (c *Composer) Unsent() string {
	switch {
	case c.Browsed == 0 || strings.TrimSpace(c.typed.Text) == "":
		return c.Text
	case c.Text == c.typed.Text || c.Text == c.recalled():
		return c.typed.Text
	}
	return strings.TrimRight(c.typed.Text, "\n") + "\n" + c.Text
}

// Remember adds a prompt as the newest of the history.
func (c *Composer) Remember(prompt string) {
	c.Browsed = 0
	if n := len(c.History); n == 0 || c.History[n-1] != prompt {
		c.History = append(c.History, prompt)
	}
}

// Margin is how many cells the text leaves free: for the sign, and for the cursor after the last
// cell.
const Margin = 3

// height is how many rows the whole text takes.
func (c *Composer) height(v draw.Canvas) int { return len(c.Rows(v.Width - Margin)) }

// weighty is the size in bytes from which on the cost of a text is shown.
const weighty = 20_000

// Measure says how much of the text is not visible, and how many tokens a long text is, at four
// bytes each.
func (c *Composer) Measure(v draw.Canvas, seen int) sanitize.Text {
	var parts []string
	if all := c.height(v); all > seen {
		parts = append(parts, string(draw.Sprintf("%d of %s lines", seen, words.Grouped(int64(all)))))
	}
	if n := len(c.Text); n >= weighty {
		parts = append(parts, string(draw.Sprintf("about %s tokens", draw.Tokens(int64(n/4)))))
	}
	if len(parts) == 0 {
		return ""
	}
	return draw.Sprintf(" %s ", sanitize.Text(strings.Join(parts, " · ")))
}

// Render draws the composer in at most height rows, and returns the row and column of the
// cursor. An empty one shows the placeholder.
func (c *Composer) Render(v draw.Canvas, placeholder sanitize.Text, height int) (lines []draw.Styled, y, x int) {
	sign := v.Theme.Accent.Draw(v.Glyphs.Prompt + " ")
	if c.Text == "" {
		return []draw.Styled{sign + v.Theme.Faint.Draw(v.Cut(placeholder, v.Width-2))}, 0, 2
	}
	if c.Shell() {
		sign = v.Theme.Warn.Draw(ShellMark + " ")
	}
	rows := c.Rows(v.Width - Margin)
	y, x = c.Place(rows, v.Width-Margin)
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

// Typeable reports whether text can be typed.
func Typeable(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && unicode.IsPrint(r)
}
