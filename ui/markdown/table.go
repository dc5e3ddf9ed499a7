package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"pawl/agent/sanitize"
)

// tabled is a table to be drawn.
type tabled struct {
	rows  [][][]run // the first row is the head
	align []extast.Alignment
	notes []run // addresses of links, which would make the columns too wide
	count int   // number of notes
}

// table writes a table no wider than its text needs. One with too many columns for the room is
// written as a list of its rows.
func (w *writer) table(n *extast.Table) {
	t := &tabled{align: n.Alignments}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		t.rows = append(t.rows, w.row(t, row))
	}
	if widths := t.widths(w.room()); widths != nil {
		for i, row := range t.rows {
			w.tableRow(row, widths, t.align)
			if i == 0 {
				w.rule(widths)
			}
		}
	} else {
		w.records(t.rows)
	}
	if len(t.notes) > 0 {
		w.gap()
		w.wrapped(t.notes)
	}
}

// row reads the cells of one row. Text after its last column, as when somebody forgot a |, is
// added to that column.
func (w *writer) row(t *tabled, n ast.Node) [][]run {
	look := Look{}
	if n.Kind() == extast.KindTableHeader {
		look.Weight = Strong
	}
	if w.quotes > 0 {
		look.Weight |= Emphasis
	}
	row := make([][]run, 0, len(t.align))
	for cell := n.FirstChild(); cell != nil; cell = cell.NextSibling() {
		runs := w.inline(nil, cell, look)
		if cell.NextSibling() == nil && cell.Lines() != nil && cell.Lines().Len() > 0 {
			runs = w.beyond(runs, cell.Lines().At(0).Stop, look)
		}
		row = append(row, w.noted(t, runs))
	}
	return row
}

// beyond adds the rest of the line after a place.
func (w *writer) beyond(runs []run, place int, look Look) []run {
	line := w.text[place:]
	if i := strings.IndexByte(string(line), '\n'); i >= 0 {
		line = line[:i]
	}
	if strings.Trim(string(line), "| ") == "" {
		return runs
	}
	kept := len(strings.TrimRight(string(line), "| "))
	return append(runs, run{Span: Span{line[:kept], look}})
}

// noted moves the addresses of links out of a cell and leaves their numbers.
func (w *writer) noted(t *tabled, runs []run) []run {
	for i := range runs {
		words := i - 1 // with a space between
		if runs[i].Look.Ink != InkAddress || words < 1 || runs[words].Text != " " || runs[words-1].Look.Ink != InkLink {
			continue
		}
		t.count++
		mark := sanitize.Line("[" + strconv.Itoa(t.count) + "]")
		if t.count > 1 {
			t.notes = append(t.notes, run{breaks: true})
		}
		t.notes = append(t.notes, run{Span: Span{mark + ": ", Look{Ink: InkLink}}}, runs[i])
		runs[words].Text, runs[i] = "", run{Span: Span{mark, Look{Ink: InkLink}}}
	}
	return runs
}

// tableRow writes one row, as high as its highest cell.
func (w *writer) tableRow(row [][]run, widths []int, align []extast.Alignment) {
	pieces := make([][]place, len(row)) // for each cell, where each of its lines begins and ends
	high := 1
	for i, runs := range row {
		for at := (place{}); at.run < len(runs); {
			end, next := broken(runs, at, widths[i])
			pieces[i] = append(pieces[i], at, end)
			at = next
		}
		high = max(high, len(pieces[i])/2)
	}
	for line := range high {
		w.begin()
		for i, runs := range row {
			if i > 0 {
				w.put(Span{Text: w.signs.Bar})
			}
			var from, to place
			if 2*line < len(pieces[i]) {
				from, to = pieces[i][2*line], pieces[i][2*line+1]
			}
			w.cell(runs, from, to, widths[i], align[i])
		}
		w.end()
	}
}

// cell writes one line of a cell, with a space on both sides.
func (w *writer) cell(runs []run, from, to place, width int, align extast.Alignment) {
	w.put(Span{Text: " "})
	began := len(w.spans)
	w.runs(runs, from, to)
	left := width
	for _, s := range w.spans[began:] {
		left -= cells(s.Text)
	}
	before := 0
	switch align {
	case extast.AlignRight:
		before = left
	case extast.AlignCenter:
		before = left / 2
	case extast.AlignLeft, extast.AlignNone:
	}
	if before > 0 {
		w.spans = append(w.spans, Span{})
		copy(w.spans[began+1:], w.spans[began:])
		w.spans[began] = Span{Text: spaces(before)}
	}
	w.put(Span{Text: spaces(left-before) + " "})
}

// rule writes the line below the head.
func (w *writer) rule(widths []int) {
	w.begin()
	for i, width := range widths {
		if i > 0 {
			w.put(Span{Text: w.signs.Cross})
		}
		w.put(Span{Text: w.dashes(width + 2)})
	}
	w.end()
}

// records writes each row as lines, one for each cell, after the heading of its column.
func (w *writer) records(rows [][][]run) {
	for i, row := range rows[min(1, len(rows)-1):] {
		if i > 0 {
			w.gap()
		}
		for k, cell := range row {
			runs := append([]run{}, rows[0][k]...)
			if len(rows) > 1 {
				runs = append(append(runs, run{Span: Span{Text: ": "}}), cell...)
			}
			w.wrapped(runs)
		}
	}
}
