package draw

import "pawl/agent/sanitize"

// Figure is one of several sums, in words. The one with the lowest weight, from 1 to 9, gives way
// first.
type Figure struct {
	Text   sanitize.Text
	Look   Paint
	Weight int
}

// Figures draws as many of these as fit a width, in their order; empty where not one does.
func (c Canvas) Figures(all []Figure, width int) Styled {
	for least := range 10 {
		var parts []Styled
		for _, f := range all {
			if f.Weight > least {
				parts = append(parts, f.Look.Draw(f.Text))
			}
		}
		if line := c.Join(parts...); Cells(line) <= width {
			return line
		}
	}
	return ""
}
