package ui

import (
	"strings"

	"pawl/agent/sanitize"
)

// part is some Markdown that is drawn by itself.
type part struct {
	kind partKind
	text string
}

type partKind int

const (
	prose partKind = iota
	code           // between fences
	tabled
)

// parted takes the blocks of code and the tables that stand at the left edge, and so
// in no list and no quote, apart from the rest.
func parted(t sanitize.Text) []part {
	parts := []part{{}}
	open := ""
	for _, line := range t.Lines() {
		last := &parts[len(parts)-1]
		mark := fenceOf(string(line))
		switch row := strings.HasPrefix(string(line), "|"); {
		case open != "":
		case mark != "" && strings.HasPrefix(string(line), mark):
			parts = append(parts, part{kind: code})
		case row && last.kind == prose && (blank(last.text) || strings.HasSuffix(last.text, "\n\n")):
			parts = append(parts, part{kind: tabled})
		case !row && last.kind == tabled:
			parts = append(parts, part{})
		}
		last = &parts[len(parts)-1]
		last.text += string(line) + "\n"
		switch {
		case open == "":
			open = mark
		case closes(string(line), open):
			open = ""
			if last.kind == code {
				parts = append(parts, part{})
			}
		}
	}
	return parts
}

// naturalWidth is what a table needs so that no cell is broken, in steps of some
// cells: each width takes a renderer. The renderer would fill the screen with it.
func naturalWidth(text string) int {
	var widths []int
	for line := range strings.Lines(text) {
		line = strings.Trim(strings.TrimSpace(line), "|")
		for i, cell := range strings.Split(line, "|") {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if cell = strings.TrimSpace(cell); strings.Trim(cell, "-:") != "" {
				widths[i] = max(widths[i], cells(cell))
			}
		}
	}
	const step = 8
	total := step
	for _, w := range widths {
		total += w + 3
	}
	return total / step * step
}

// wideEnough is a width at which no line of some code is broken: one of few, for
// each takes a renderer.
func wideEnough(code string, width int) int {
	for line := range strings.Lines(code) {
		for len(line)+4 > width { // bytes are never fewer than cells
			width *= 2
		}
	}
	return width
}
