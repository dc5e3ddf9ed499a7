package timeline

import (
	"slices"
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// tickRoom is about how many columns a tick has with its label, at least.
const tickRoom = 8

// ticks is the axis: round times since the session began and, where nothing ran, a
// break.
func ticks(c draw.Canvas, a axis) draw.Styled {
	if len(a.scale) == 0 {
		return ""
	}
	rule := slices.Repeat([]string{string(c.Glyphs.Rule)}, a.columns)
	for _, p := range a.places[1:] { // also where there are too many for columns of their own
		rule[min(max(0, p.column-a.gap), a.columns-1)] = string(c.Glyphs.Lane.Cut)
	}
	free := 0 // the first column behind the last label
	for i, after := range a.scale.Ticks(a.Begin, a.columns/tickRoom) {
		label, at, p := words.Exact(after), a.Column(a.Begin.Add(after)), a.places[i]
		if at < free || at+1+len(label) > a.columns || at+1+len(label) > p.column+p.columns && i < len(a.scale)-1 {
			continue
		}
		rule[at] = string(c.Glyphs.Bar)
		for i, r := range label {
			rule[at+1+i] = string(r)
		}
		free = at + 2 + len(label)
	}
	return c.Theme.Faint.Draw(sanitize.Text(strings.Join(rule, "")))
}
