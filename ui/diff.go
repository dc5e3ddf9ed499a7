package ui

import (
	"strings"

	"pawl/agent/sanitize"
)

// renderDiff draws a unified diff: its changes in two colours and with their
// signs, the numbers of its hunks dim, the names of its files not at all, for
// they stand above it.
func renderDiff(c canvas, diff string) []styled {
	var lines []styled
	for line := range strings.SplitSeq(strings.TrimRight(diff, "\n"), "\n") {
		look := c.theme.dim
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
			if len(lines) == 0 {
				continue
			}
		case strings.HasPrefix(line, "@@"):
			look = c.theme.faint
		}
		switch {
		case strings.HasPrefix(line, "+"):
			look = c.theme.added
		case strings.HasPrefix(line, "-"):
			look = c.theme.removed
		}
		lines = append(lines, c.paragraph(look, sanitize.Clean(line))...)
	}
	for len(lines) > 0 && blank(string(lines[len(lines)-1])) {
		lines = lines[:len(lines)-1]
	}
	return lines
}
