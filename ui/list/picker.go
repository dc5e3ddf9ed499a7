package list

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Picker is a list in front of the conversation, one line of which is chosen: by
// the arrows, or by typing a few letters of it. The palette is one, and so is
// every list that a command shows.
type Picker[M any] struct {
	Title sanitize.Text
	Heads []sanitize.Text // over the columns; nil: none
	Rows  []Entry[M]
	Empty sanitize.Text // stands where there are no rows
	Aside sanitize.Text // what is to be said about all of it

	Words   string // that were typed
	List    Shortlist
	columns []int // how wide each is, the name first

	Turn     func(M) tea.Cmd // Tab; nil: nothing
	Turns    sanitize.Text   // what Tab does
	previews bool            // rows have more to say than their line
	Back     func(M)         // undoes what the mark has shown, when nothing is taken; nil: nothing
}

// Entry is one line of a picker.
type Entry[M any] struct {
	Name    sanitize.Text
	More    []sanitize.Text // its further columns: the last gives way first
	Key     sanitize.Text   // what else leads to it
	Sought  sanitize.Text   // is searched like the name, and not shown
	On      bool            // it is in force, or shown, now
	Sign    sanitize.Text   // in front of its name, where it is not on
	Tone    draw.Tone       // of its sign and its columns
	Preview []sanitize.Text // wrapped where there is room
	Last    bool            // of a preview that is too long, the end is shown
	Peek    tea.Cmd         // reads the preview, once, when the mark comes by
	Try     func(M)         // shows what it would do, while the mark is on it; nil: nothing
	Do      func(M) tea.Cmd
}

// Fill gives the list its rows. What was typed stays; the mark goes to the row that
// is in force or, while something is typed, to the best one.
func (p *Picker[M]) Fill(rows []Entry[M]) {
	p.Rows, p.columns, p.previews = rows, nil, false
	for _, row := range rows {
		p.previews = p.previews || len(row.Preview) > 0 || row.Peek != nil
		for i, cell := range row.cells() {
			if i == len(p.columns) {
				p.columns = append(p.columns, 0)
			}
			p.columns[i] = max(p.columns[i], draw.Cells(cell))
		}
	}
	for i, head := range p.Heads {
		if i < len(p.columns) {
			p.columns[i] = max(p.columns[i], draw.Cells(head))
		}
	}
	p.Narrow()
	if p.Words != "" {
		return
	}
	for i, row := range rows {
		if row.On {
			p.List.At = i
			return
		}
	}
}

// Refill gives a list that stands already other rows. The mark stays on what it
// stood on.
func (p *Picker[M]) Refill(rows []Entry[M]) {
	row, at := p.Marked(), p.List.At
	if row == nil {
		p.Fill(rows)
		return
	}
	name := row.Name
	p.Fill(rows)
	p.List.At = max(0, min(at, len(p.List.Kept)-1))
	for i, f := range p.List.Kept {
		if p.Rows[f.Index].Name == name {
			p.List.At = i
			return
		}
	}
}

// cells are the columns of a row, its name first.
func (e Entry[M]) cells() []sanitize.Text { return append([]sanitize.Text{e.Name}, e.More...) }

// Narrow keeps the rows that fit what was typed.
func (p *Picker[M]) Narrow() {
	names := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		names[i] = string(row.Name + " " + row.Key + " " + row.Sought)
	}
	p.List.Narrow(p.Words, names)
}

// Marked is the row that Enter takes; nil where none fits.
func (p *Picker[M]) Marked() *Entry[M] {
	i, ok := p.List.Chosen()
	if !ok {
		return nil
	}
	return &p.Rows[i]
}
