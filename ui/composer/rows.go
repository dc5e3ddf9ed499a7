package composer

import (
	"sort"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Row is one line of the composer on the screen: a piece of its text.
type Row struct{ Start, end int }

// wrapped are the rows as they were last needed. Of a long text, a key changes few
// of them: the others are taken over.
type wrapped struct {
	text  string
	width int
	rows  []Row // nil: nothing can be taken over
}

// Rows breaks the text into lines of the screen, between words where it can.
func (c *Composer) Rows(width int) []Row {
	width = max(1, width)
	w := &c.wrapped
	if w.rows != nil && w.width == width && w.text == c.Text {
		return w.rows
	}
	var rows, old []Row
	from, same := 0, len(c.Text)+1 // from here on the text is as it was
	if w.rows != nil && w.width == width {
		head := commonPrefix(w.text, c.Text)
		same = len(c.Text) - commonSuffix(w.text[head:], c.Text[head:])
		// What did not fit into a row stands in the next one, or begins the one after.
		if sure := rowOf(w.rows, head) - 2; sure > 0 {
			rows, from = w.rows[:sure:sure], w.rows[sure].Start
		}
		old = w.rows[len(rows):]
	}
	rows = c.wrap(rows, from, width, old, same)
	w.text, w.width, w.rows = c.Text, width, rows
	return rows
}

// wrap adds the rows from an offset on. Where one begins as an old one did, in text
// that is the same from there on, the old ones follow.
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
		hangs := blank && col <= width // a space may stand past the end
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

// cell is the end of what stands at an offset as one character, and how many cells
// it takes; -1 where the line ends.
func (c *Composer) cell(i, width int) (next, w int) {
	if ch, folded := c.fold(i); folded {
		return ch.End, min(draw.Cells(ch.mark), width)
	}
	if i == len(c.Text) || c.Text[i] == '\n' {
		return i, -1
	}
	next = c.After(i)
	if b := c.Text[i]; next == i+1 && b >= ' ' && b < 0x7f {
		return next, 1
	}
	return next, draw.Cells(sanitize.Clean(c.Text[i:next]))
}

// rowOf is the last row that begins at an offset or before it.
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

// Vertical moves the cursor to the row above or below; it reports false where
// there is none.
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

// column is the place in a row that a column stands for; the last one of a row that is
// shorter.
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

// drawn is one row as it is shown.
func (c *Composer) drawn(v draw.Canvas, r Row) draw.Styled {
	var line draw.Styled
	for from := r.Start; from < r.end; {
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

// commonPrefix is how many bytes two texts begin with alike.
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

// commonSuffix is how many bytes two texts end with alike.
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

// compared is how many bytes are compared at once, which the machine does in one go.
const compared = 4 << 10

// MoveToCell sets the cursor to a column of a row, or to the end of that row.
func (c *Composer) MoveToCell(y, x, width int) {
	rows := c.Rows(width)
	y = min(max(0, y), len(rows)-1)
	c.Move(c.column(rows, y, x, width))
}

// Row is the row of the text in which the cursor stands.
func (c *Composer) Row(v draw.Canvas) int {
	return max(0, rowOf(c.Rows(v.Width-Margin), c.At))
}
