package list

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Picker is a list in front of the conversation, from which one line is chosen by the arrows or
// by typing a few letters of it. The palette is one, and so is every list that a command shows.
type Picker[M any] struct {
	Title sanitize.Text
	Heads []sanitize.Text // headings of the columns; nil: none
	Rows  []Entry[M]
	Empty sanitize.Text // shown if there are no rows
	Aside sanitize.Text // a remark about the whole list

	Words   string // the typed text
	List    Shortlist
	columns []int // width of each, the name first

	Turn     func(M) tea.Cmd // Tab; may be nil
	Turns    sanitize.Text   // what Tab does
	previews bool            // some row has a preview
	Back     func(M)         // undoes Try if nothing is chosen; may be nil
}

// Entry is one row of a picker.
type Entry[M any] struct {
	Name    sanitize.Text
	More    []sanitize.Text // further columns; the last is cut first
	Key     sanitize.Text   // the key that does the same
	Sought  sanitize.Text   // also searched, but not shown
	On      bool            // it is the current one
	Sign    sanitize.Text   // before its name, if it is not the current one
	Tone    draw.Tone       // tone of its sign and columns
	Preview []sanitize.Text // wrapped
	Last    bool            // show the end of a preview that is too long
	Peek    tea.Cmd         // reads the preview, once, when the row is marked
	Try     func(M)         // shows its effect while it is marked; may be nil
	Do      func(M) tea.Cmd
}

// Fill sets the rows. The typed text stays; the current row is marked or, if something is typed,
// the best match.
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

// Refill replaces the rows. The marked row stays marked.
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

// Narrow keeps the rows that match the typed text.
func (p *Picker[M]) Narrow() {
	names := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		names[i] = string(row.Name + " " + row.Key + " " + row.Sought)
	}
	p.List.Narrow(p.Words, names)
}

// Marked is the row that Enter chooses; nil if none matches.
func (p *Picker[M]) Marked() *Entry[M] {
	i, ok := p.List.Chosen()
	if !ok {
		return nil
	}
	return &p.Rows[i]
}
