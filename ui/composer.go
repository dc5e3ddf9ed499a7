package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
)

// composer is the text being typed to one session, with the cursor in it. It
// keeps the text as it was typed or pasted, and cleans it only to show it.
type composer struct {
	text string
	at   int // byte offset of the cursor, at the start of a character
	goal int // the column that ↑ and ↓ try to keep, -1 for the cursor's own

	lost string // what was cleared or cut last: Ctrl+Y brings it back

	history []string
	browsed int    // how many prompts back ↑ went
	typed   string // what stood here before

	wrapped struct {
		text  string
		width int
		rows  []row
	}
}

// row is one line of the composer on the screen: a piece of its text.
type row struct{ start, end int }

func (c *composer) set(text string) {
	c.text, c.at, c.goal = text, len(text), -1
}

func (c *composer) empty() bool { return c.text == "" }

// clear empties the composer and remembers what stood there.
func (c *composer) clear() {
	c.keep(c.text)
	c.set("")
	c.browsed = 0
}

// keep makes text what Ctrl+Y brings back.
func (c *composer) keep(text string) {
	if strings.TrimSpace(text) != "" {
		c.lost = text
	}
}

// restore puts text before what has been typed since.
func (c *composer) restore(text string) {
	if c.text != "" && c.text != text {
		text = strings.TrimRight(text, "\n") + "\n" + c.text
	}
	c.set(text)
}

func (c *composer) insert(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	c.text = c.text[:c.at] + text + c.text[c.at:]
	c.at += len(text)
	c.goal = -1
}

// delete removes a range; keep says that Ctrl+Y may bring it back.
func (c *composer) delete(from, to int, keep bool) {
	if from > to {
		from, to = to, from
	}
	if from == to {
		return
	}
	if keep {
		c.lost = c.text[from:to]
	}
	c.text = c.text[:from] + c.text[to:]
	c.at, c.goal = from, -1
}

func (c *composer) bringBack() {
	if c.lost != "" {
		c.insert(c.lost)
	}
}

func (c *composer) move(to int) { c.at, c.goal = min(max(to, 0), len(c.text)), -1 }

// after is the end of the character at i: one that people see as one.
func (c *composer) after(i int) int {
	if i >= len(c.text) {
		return len(c.text)
	}
	cluster, _ := ansi.FirstGraphemeCluster(c.text[i:], ansi.GraphemeWidth)
	return i + max(1, len(cluster))
}

// before is the start of the character that ends at i.
func (c *composer) before(i int) int {
	if i <= 0 {
		return 0
	}
	if c.text[i-1] == '\n' {
		return i - 1
	}
	start := c.lineStart(i)
	for at := start; ; {
		next := c.after(at)
		if next >= i {
			return at
		}
		at = next
	}
}

func (c *composer) lineStart(i int) int { return strings.LastIndexByte(c.text[:i], '\n') + 1 }

func (c *composer) lineEnd(i int) int {
	if n := strings.IndexByte(c.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(c.text)
}

func (c *composer) wordLeft(i int) int {
	spaces := strings.TrimRightFunc(c.text[:i], unicode.IsSpace)
	return len(strings.TrimRightFunc(spaces, func(r rune) bool { return !unicode.IsSpace(r) }))
}

func (c *composer) wordRight(i int) int {
	rest := strings.TrimLeftFunc(c.text[i:], unicode.IsSpace)
	rest = strings.TrimLeftFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) })
	return len(c.text) - len(rest)
}

// rows breaks the text into lines of the screen, between words where it can.
func (c *composer) rows(width int) []row {
	if c.wrapped.rows != nil && c.wrapped.width == width && c.wrapped.text == c.text {
		return c.wrapped.rows
	}
	width = max(1, width)
	var rows []row
	for start := 0; ; {
		end := c.lineEnd(start)
		rows = c.breakLine(rows, start, end, width)
		if end == len(c.text) {
			break
		}
		start = end + 1
	}
	c.wrapped.text, c.wrapped.width, c.wrapped.rows = c.text, width, rows
	return rows
}

func (c *composer) breakLine(rows []row, start, end, width int) []row {
	from, col, space := start, 0, -1
	for i := start; i < end; {
		next := min(c.after(i), end)
		w := cells(sanitize.Clean(c.text[i:next]))
		hangs := c.text[i] == ' ' && col <= width // a space may stand past the end
		if col+w > width && i > from && !hangs {
			at := i
			if space > from {
				at = space
			}
			rows = append(rows, row{from, at})
			from, space = at, -1
			col = cells(sanitize.Clean(c.text[from:i]))
		}
		if c.text[i] == ' ' {
			space = next
		}
		col += w
		i = next
	}
	return append(rows, row{from, end})
}

// place is the row and column of the cursor.
func (c *composer) place(rows []row) (y, x int) {
	for i, r := range rows {
		last := i == len(rows)-1
		if c.at >= r.start && (c.at < r.end || c.at == r.end && (last || rows[i+1].start > r.end)) {
			return i, cells(sanitize.Clean(c.text[r.start:c.at]))
		}
	}
	return 0, 0
}

// vertical moves the cursor to the row above or below; it reports false where
// there is none.
func (c *composer) vertical(by, width int) bool {
	rows := c.rows(width)
	y, x := c.place(rows)
	if y+by < 0 || y+by >= len(rows) {
		return false
	}
	if c.goal < 0 {
		c.goal = x
	}
	to, goal := rows[y+by], c.goal
	at := to.start
	for col := 0; at < to.end; {
		next := min(c.after(at), to.end)
		if col += cells(sanitize.Clean(c.text[at:next])); col > goal {
			break
		}
		if next == to.end && y+by < len(rows)-1 && rows[y+by+1].start == to.end {
			break // a wrapped row's end is the next one's start
		}
		at = next
	}
	c.at = at
	c.goal = goal
	return true
}

// recall goes back in the history of prompts, or forth. It reports false where
// there is no further one.
func (c *composer) recall(by int) bool {
	to := c.browsed + by
	if to < 0 || to > len(c.history) {
		return false
	}
	if c.browsed == 0 {
		c.typed = c.text
	}
	c.browsed = to
	if to == 0 {
		c.set(c.typed)
	} else {
		c.set(c.history[len(c.history)-to])
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
func (c *composer) height(v canvas) int { return len(c.rows(v.width - beside)) }

// render draws the composer, at most height rows of it, with the row and column
// of the cursor. Without text it shows the placeholder.
func (c *composer) render(v canvas, placeholder sanitize.Text, height int) (lines []styled, y, x int) {
	sign := v.theme.accent.draw(v.glyphs.prompt + " ")
	if c.text == "" {
		return []styled{sign + v.theme.faint.draw(v.cut(placeholder, v.width-2))}, 0, 2
	}
	rows := c.rows(v.width - beside)
	y, x = c.place(rows)
	first := 0
	if len(rows) > height {
		first = min(max(0, y-height/2), len(rows)-height)
	}
	for i := first; i < min(first+height, len(rows)); i++ {
		line := v.theme.text.draw(sanitize.Clean(c.text[rows[i].start:rows[i].end]))
		if i == 0 {
			lines = append(lines, sign+line)
		} else {
			lines = append(lines, "  "+line)
		}
	}
	return lines, y - first, x + 2
}

// runes reports whether text is something that can be typed.
func typeable(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && unicode.IsPrint(r)
}
