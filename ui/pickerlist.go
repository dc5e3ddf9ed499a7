package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Picker is a list in front of the conversation, one line of which is chosen: by
// the arrows, or by typing a few letters of it. The palette is one, and so is
// every list that a command shows.
type Picker[M any] struct {
	title sanitize.Text
	heads []sanitize.Text // over the columns; nil: none
	rows  []Entry[M]
	empty sanitize.Text // stands where there are no rows
	aside sanitize.Text // what is to be said about all of it

	words   string // that were typed
	list    shortlist
	columns []int // how wide each is, the name first

	turn     func(M) tea.Cmd // Tab; nil: nothing
	turns    sanitize.Text   // what Tab does
	previews bool            // rows have more to say than their line
	back     func(M)         // undoes what the mark has shown, when nothing is taken; nil: nothing
}

// Entry is one line of a picker.
type Entry[M any] struct {
	name    sanitize.Text
	more    []sanitize.Text // its further columns: the last gives way first
	key     sanitize.Text   // what else leads to it
	sought  sanitize.Text   // is searched like the name, and not shown
	on      bool            // it is in force, or shown, now
	sign    sanitize.Text   // in front of its name, where it is not on
	tone    draw.Tone       // of its sign and its columns
	preview []sanitize.Text // wrapped where there is room
	last    bool            // of a preview that is too long, the end is shown
	peek    tea.Cmd         // reads the preview, once, when the mark comes by
	try     func(M)         // shows what it would do, while the mark is on it; nil: nothing
	do      func(M) tea.Cmd
}

// fill gives the list its rows. What was typed stays; the mark goes to the row that
// is in force or, while something is typed, to the best one.
func (p *Picker[M]) fill(rows []Entry[M]) {
	p.rows, p.columns, p.previews = rows, nil, false
	for _, row := range rows {
		p.previews = p.previews || len(row.preview) > 0 || row.peek != nil
		for i, cell := range row.cells() {
			if i == len(p.columns) {
				p.columns = append(p.columns, 0)
			}
			p.columns[i] = max(p.columns[i], draw.Cells(cell))
		}
	}
	for i, head := range p.heads {
		if i < len(p.columns) {
			p.columns[i] = max(p.columns[i], draw.Cells(head))
		}
	}
	p.narrow()
	if p.words != "" {
		return
	}
	for i, row := range rows {
		if row.on {
			p.list.at = i
			return
		}
	}
}

// refill gives a list that stands already other rows. The mark stays on what it
// stood on.
func (p *Picker[M]) refill(rows []Entry[M]) {
	row, at := p.marked(), p.list.at
	if row == nil {
		p.fill(rows)
		return
	}
	name := row.name
	p.fill(rows)
	p.list.at = max(0, min(at, len(p.list.kept)-1))
	for i, f := range p.list.kept {
		if p.rows[f.index].name == name {
			p.list.at = i
			return
		}
	}
}

// cells are the columns of a row, its name first.
func (e Entry[M]) cells() []sanitize.Text { return append([]sanitize.Text{e.name}, e.more...) }

// narrow keeps the rows that fit what was typed.
func (p *Picker[M]) narrow() {
	names := make([]string, len(p.rows))
	for i, row := range p.rows {
		names[i] = string(row.name + " " + row.key + " " + row.sought)
	}
	p.list.narrow(p.words, names)
}

// marked is the row that Enter takes; nil where none fits.
func (p *Picker[M]) marked() *Entry[M] {
	i, ok := p.list.chosen()
	if !ok {
		return nil
	}
	return &p.rows[i]
}
