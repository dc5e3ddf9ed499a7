package draw

import "pawl/agent/sanitize"

// Keys is a group of a help: keys, and what each does.
type Keys struct {
	Title sanitize.Text
	Lines [][2]sanitize.Text
}

// Help draws groups of keys, in two columns where there is room.
func (c Canvas) Help(groups []Keys) []Styled {
	c = c.Content()
	columns := 1
	if c.Width >= 110 {
		columns = 2
	}
	inner := c
	inner.Width = (c.Width - 2*columns) / columns
	blocks := make([][]Styled, 0, len(groups))
	for _, g := range groups {
		blocks = append(blocks, inner.keyGroup(g))
	}
	lines := flow(blocks, columns, inner.Width)
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// keyGroup draws the keys of a group with what they do. On a narrow screen a long key stands
// above its words, so that these are not torn into a column of their own.
func (c Canvas) keyGroup(g Keys) []Styled {
	room := 22
	if c.Width < 50 {
		room = 10
	}
	lines := []Styled{"  " + c.Theme.Strong.Draw(g.Title)}
	for _, line := range g.Lines {
		key := "  " + c.Theme.Accent.Draw(c.Cut(line[0], c.Width-2))
		if Cells(key) >= room {
			lines = append(lines, key)
			key = ""
		}
		lines = append(lines, Hang(Pad(key, room), c.Narrow(room+1).Paragraph(c.Theme.Dim, line[1]))...)
	}
	return append(lines, "")
}

// flow puts blocks under one another in columns of about the same height.
func flow(blocks [][]Styled, columns, width int) []Styled {
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	var cols [2][]Styled
	at := 0
	for _, b := range blocks {
		if at < columns-1 && len(cols[at])+len(b)/2 > total/columns {
			at++
		}
		cols[at] = append(cols[at], b...)
	}
	if columns == 1 {
		return cols[0]
	}
	return Beside(cols[0], width+2, cols[1])
}
