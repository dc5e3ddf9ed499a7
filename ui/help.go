package ui

import "pawl/agent/sanitize"

// renderHelp draws the table of keys, in two columns where there is room.
func (m *model) renderHelp(c canvas, height int) []styled {
	var blocks [][]styled
	columns := 1
	if c.width >= 110 {
		columns = 2
	}
	inner := c
	inner.width = (c.width - 2*columns) / columns
	for _, g := range m.keys {
		blocks = append(blocks, inner.keyGroup(g))
	}
	lines := flow(blocks, columns, inner.width)
	top := min(m.help.line, max(0, len(lines)-height))
	m.help.line = top
	return lines[top:min(len(lines), top+height)]
}

func (c canvas) keyGroup(g group) []styled {
	const keyRoom = 21
	lines := []styled{"  " + c.theme.strong.draw(g.title)}
	for _, b := range g.bindings {
		if b.help == "" {
			continue
		}
		shown := b.show
		if shown == "" {
			shown = sanitize.Text(b.keys[0])
		}
		room := min(keyRoom, c.width/2)
		key := pad("  "+c.theme.accent.draw(c.cut(shown, room-3)), room)
		lines = append(lines, hang(key, c.narrow(room+1).paragraph(c.theme.dim, b.help))...)
	}
	return append(lines, "")
}

// flow puts blocks under one another in columns of about the same height.
func flow(blocks [][]styled, columns, width int) []styled {
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	var cols [2][]styled
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
	var lines []styled
	for i := range max(len(cols[0]), len(cols[1])) {
		var left, right styled
		if i < len(cols[0]) {
			left = cols[0][i]
		}
		if i < len(cols[1]) {
			right = cols[1][i]
		}
		lines = append(lines, pad(left, width+2)+right)
	}
	return lines
}
