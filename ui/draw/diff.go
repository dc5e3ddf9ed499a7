package draw

import (
	"strconv"

	"pawl/agent/diff"
	"pawl/agent/sanitize"
)

// Signs of the lines of a diff that are not in a file.
const (
	HunkSign byte = '@' // where a hunk begins
	FileSign byte = 'f' // where another file begins
	NoteSign byte = 'n' // words about the line before
)

// DiffLine is one line of a unified diff.
type DiffLine struct {
	Sign byte // ' ', '+', '-' or one of the above
	Old  int  // its line number in the old file; 0 if it is not there
	New  int  // and in the new file
	Hunk int  // counted from 0
	Text string

	words []diff.Span // in which it differs from the line that it replaced, or that replaced it
	first bool        // the head of a hunk that says nothing: it is the file's first and has no words
}

// Number is its number in the file that it is in.
func (l DiffLine) Number() int {
	if l.New > 0 {
		return l.New
	}
	return l.Old
}

// Silent reports whether a line is only of use to who wants to see where each hunk begins.
func (l DiffLine) Silent() bool { return l.first }

// Diff is a unified diff that was read.
type Diff struct {
	Lines  []DiffLine
	Hunks  int
	digits int // of the largest number
}

// ReadDiff reads a unified diff, and finds the changed words of its lines. Other text is kept as it is.
func ReadDiff(text string) Diff {
	d := Diff{Lines: readDiff(text)}
	pairWords(d.Lines)
	for _, line := range d.Lines {
		d.digits = max(d.digits, len(strconv.Itoa(line.Number())))
		d.Hunks = max(d.Hunks, line.Hunk+1)
	}
	return d
}

// RenderDiff draws a unified diff: changes coloured and with their signs, lines with their
// numbers, changed words in bold. The name of the first file is not drawn, because it is above
// the diff already.
func RenderDiff(c Canvas, diff string) []Styled {
	d := ReadDiff(diff)
	var lines []Styled
	for i, line := range d.Lines {
		if !line.first {
			lines = append(lines, d.Line(c, i)...)
		}
	}
	return lines
}

// Line draws one line after its number, wrapped below its text.
func (d *Diff) Line(c Canvas, i int) []Styled {
	digits := d.digits
	if c.Width < 20 { // no room for numbers
		digits = 0
	}
	return d.Lines[i].render(c, digits, d.Lines[i].Number())
}

// Pair is what stands on one row of a diff that is shown side by side: the places of two lines, -1
// for none. What is in both files, or above them, is on both sides.
type Pair struct{ Old, New int }

// Pairs are the rows of a diff side by side: a line that was removed beside the one that was added in
// its place.
func (d *Diff) Pairs() []Pair {
	pairs := make([]Pair, 0, len(d.Lines))
	for i := 0; i < len(d.Lines); {
		if sign := d.Lines[i].Sign; sign != '-' && sign != '+' {
			pairs = append(pairs, Pair{i, i})
			i++
			continue
		}
		gone, came, end := changedLines(d.Lines, i)
		for k := 0; gone+k < came || came+k < end; k++ {
			p := Pair{-1, -1}
			if gone+k < came {
				p.Old = gone + k
			}
			if came+k < end {
				p.New = came + k
			}
			pairs = append(pairs, p)
		}
		i = end
	}
	return pairs
}

// changedLines is where the removed lines from i on begin, the added ones behind them, and what
// follows.
func changedLines(all []DiffLine, i int) (gone, came, end int) {
	gone = i
	for i < len(all) && all[i].Sign == '-' {
		i++
	}
	came = i
	for i < len(all) && all[i].Sign == '+' {
		i++
	}
	return gone, came, i
}

// Beside draws a pair, the old file's line on the left.
func (d *Diff) Beside(c Canvas, p Pair) []Styled {
	if p.Old == p.New && d.Lines[p.Old].Sign != ' ' {
		return d.Line(c, p.Old)
	}
	half := c
	half.Width = max(1, (c.Width-3)/2)
	left, right := d.side(half, p.Old, true), d.side(half, p.New, false)
	return c.Beside(left, half.Width, right, max(len(left), len(right)))
}

// side draws one side of a pair.
func (d *Diff) side(c Canvas, i int, old bool) []Styled {
	if i < 0 {
		return nil
	}
	line := d.Lines[i]
	number := line.New
	if old {
		number = line.Old
	}
	return line.render(c, d.digits, number)
}

// pairWords finds what changed inside of lines: if as many lines were added as removed, each is
// compared with the one it replaced.
func pairWords(all []DiffLine) {
	for i := 0; i < len(all); {
		gone, came, end := changedLines(all, i)
		if n := came - gone; n > 0 && end-came == n {
			for k := range n {
				all[gone+k].words, all[came+k].words = diff.Words(all[gone+k].Text, all[came+k].Text)
			}
		}
		i = max(end, i+1)
	}
}

// render draws a line after its number, wrapped below its text.
func (l DiffLine) render(c Canvas, digits, at int) []Styled {
	look, part := c.Theme.Dim, c.Theme.Strong
	switch l.Sign {
	case FileSign:
		return c.Paragraph(c.Theme.Strong, sanitize.Line(l.Text))
	case HunkSign, NoteSign:
		words := c.Glyphs.More
		if l.Text != "" {
			words += " " + sanitize.Line(l.Text)
		}
		return []Styled{c.Theme.Faint.Draw(c.Cut(words, c.Width))}
	case '+':
		look, part = c.Theme.Added, c.Theme.AddedPart
	case '-':
		look, part = c.Theme.Removed, c.Theme.RemovedPart
	}
	var number, text Styled
	if digits > 0 {
		number = c.Theme.Faint.Draw(Sprintf("%*d", digits, at)) + " "
	}
	sign, from := number+look.Draw(sanitize.Text(l.Sign)), 0
	for _, changed := range l.words {
		text += look.Draw(sanitize.Clean(l.Text[from:changed.From])) + part.Draw(sanitize.Clean(l.Text[changed.From:changed.To]))
		from = changed.To
	}
	return Hang(sign, c.Narrow(digits+2).broken(text+look.Draw(sanitize.Clean(l.Text[from:]))))
}
