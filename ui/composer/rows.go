package composer

import (
	"sort"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Row is one line of the composer on the screen: a range of its text.
type Row struct{ Start, end int }

// wrapped is a cache of the rows. In a long text a key changes few of them: the others are
// reused.
type wrapped struct {
	text  string
	width int
	rows  []Row // nil: nothing can be reused
}

// Rows breaks the text into lines of the screen, between words where it can.
func (c *Composer) Rows(width int) []Row {
	width = max(1, width)
	w := &c.wrapped
	if w.rows != nil && w.width == width && w.text == c.Text {
		return w.rows
	}
	var rows, old []Row
	from, same := 0, len(c.Text)+1 // from here on the text is unchanged
	if w.rows != nil && w.width == width {
		head := commonPrefix(w.text, c.Text)
		same = len(c.Text) - commonSuffix(w.text[head:], c.Text[head:])
		// A change may affect the two rows before it: what did not fit there comes in the next one or the one after.
		if sure := rowOf(w.rows, head) - 2; sure > 0 {
			rows, from = w.rows[:sure:sure], w.rows[sure].Start
		}
		old = w.rows[len(rows):]
	}
	rows = c.wrap(rows, from, width, old, same)
	w.text, w.width, w.rows = c.Text, width, rows
	return rows
}

// wrap adds the rows from an offset on. Once one begins like an old one, in unchanged text, it
// takes over the old ones.
func (c *Composer) wrap(rows []Row, from, width int, old []Row, same int) []Row {
	by := len(c.Text) - len(c.wrapped.text)
	for {
		for len(old) > 0 && old[0].Start+by < from {
			old = old[1:]
		}
		if from >= same && len(old) > 0 && old[0].Start+by == from {
			for _, r := range old {
				rows = append(rows, Row{r.Start + by, r.end + by})
			}
			return rows
		}
		r := c.rowFrom(from, width)
		rows = append(rows, r)
		if r.end == len(c.Text) {
			return rows
		}
		from = r.end
		if _, folded := c.fold(from); !folded && c.Text[from] == '\n' {
			from++
		}
	}
}

// rowFrom is the row that begins at an offset.
func (c *Composer) rowFrom(from, width int) Row {
	col, space := 0, -1
	for i := from; ; {
		next, w := c.cell(i, width)
		if w < 0 {
			return Row{from, i}
		}
		blank := next == i+1 && c.Text[i] == ' '
		hangs := blank && col <= width // a space may hang over the end
		if col+w > width && i > from && !hangs {
			if space > from {
				return Row{from, space}
			}
			return Row{from, i}
		}
		if blank {
			space = next
		}
		col += w
		i = next
	}
}

// cell returns the end of the character at an offset and its width in cells; -1 at the end of
// the line.
func (c *Composer) cell(i, width int) (next, w int) {
	if ch, folded := c.fold(i); folded {
		return ch.End, min(draw.Cells(ch.mark), width)
	}
	if i == len(c.Text) || c.Text[i] == '\n' {
		return i, -1
	}
	next = c.After(i)
	if i == 0 && c.Shell() {
		return next, 0 // it is the sign
	}
	if b := c.Text[i]; next == i+1 && b >= ' ' && b < 0x7f {
		return next, 1
	}
	return next, draw.Cells(sanitize.Clean(c.Text[i:next]))
}

// rowOf is the index of the row that contains an offset.
func rowOf(rows []Row, at int) int {
	return sort.Search(len(rows), func(i int) bool { return rows[i].Start > at }) - 1
}

// Place is the row and column of the cursor.
func (c *Composer) Place(rows []Row, width int) (y, x int) {
	y = max(0, rowOf(rows, c.At))
	for i := rows[y].Start; i < c.At; {
		next, w := c.cell(i, width)
		x += max(0, w)
		i = max(next, i+1)
	}
	return y, x
}

// Vertical moves the cursor up or down one row; it reports false if there is none.
func (c *Composer) Vertical(by, width int) bool {
	rows := c.Rows(width)
	y, x := c.Place(rows, width)
	if y+by < 0 || y+by >= len(rows) {
		return false
	}
	if c.Goal < 0 {
		c.Goal = x
	}
	c.At = c.column(rows, y+by, c.Goal, width)
	return true
}

// column is the offset of a column in a row, or of the last one if the row is shorter.
func (c *Composer) column(rows []Row, y, x, width int) int {
	r := rows[y]
	at := r.Start
	for col := 0; at < r.end; {
		next, w := c.cell(at, width)
		if col += max(0, w); col > x {
			break
		}
		if next == r.end && y < len(rows)-1 && rows[y+1].Start == r.end {
			break // a wrapped row's end is the next one's start
		}
		at = next
	}
	return at
}

// drawn draws one row.
func (c *Composer) drawn(v draw.Canvas, r Row) draw.Styled {
	var line draw.Styled
	from := r.Start
	if from == 0 && c.Shell() {
		from = len(ShellMark)
	}
	for from < r.end {
		to := r.end
		for _, ch := range c.Chips {
			if !ch.Open && from <= ch.Start && ch.Start < to {
				to = ch.Start
			}
		}
		line += v.Theme.Text.Draw(sanitize.Clean(c.Text[from:to]))
		if from = to; from < r.end {
			ch, _ := c.fold(from)
			line += v.Theme.Accent.Draw(v.Cut(ch.mark, v.Width-Margin))
			from = ch.End
		}
	}
	return line
}

// commonPrefix is how many bytes two texts share at the beginning.
func commonPrefix(a, b string) int {
	n, most := 0, min(len(a), len(b))
	for n+compared <= most && a[n:n+compared] == b[n:n+compared] {
		n += compared
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix is how many bytes two texts share at the end.
func commonSuffix(a, b string) int {
	n, most := 0, min(len(a), len(b))
	for n+compared <= most && a[len(a)-n-compared:len(a)-n] == b[len(b)-n-compared:len(b)-n] {
		n += compared
	}
	for n < most && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	return n
}

// compared is how many bytes are compared at once, which is much faster than one by one.
const compared = 4 << 10

// MoveToCell sets the cursor to a column of a row, or to the end of the row.
func (c *Composer) MoveToCell(y, x, width int) {
	rows := c.Rows(width)
	y = min(max(0, y), len(rows)-1)
	c.Move(c.column(rows, y, x, width))
}

// Row is the row of the cursor.
func (c *Composer) Row(v draw.Canvas) int {
	return max(0, rowOf(c.Rows(v.Width-Margin), c.At))
}
