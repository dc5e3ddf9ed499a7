package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
)

// finished are drawn lines as they go to the screen: none wider than that, and the
// addresses in their text links.
func (c canvas) finished(lines []styled, text string) []styled {
	lines = c.linked(lines, text)
	for i, line := range lines {
		lines[i] = fit(line, c.width)
	}
	return lines
}

func indented(lines []styled) []styled { return indentedBy(2, lines) }

// indentedBy puts room before the lines that are not empty.
func indentedBy(cells int, lines []styled) []styled {
	room := pad("", cells)
	shifted := make([]styled, len(lines))
	for i, line := range lines {
		if line != "" {
			shifted[i] = room + line
		}
	}
	return shifted
}

func joinLines(lines []sanitize.Text) string {
	parts := make([]string, len(lines))
	for i, line := range lines {
		parts[i] = string(line)
	}
	return strings.Join(parts, "\n")
}

// brief draws a text in two lines at most.
func (c canvas) brief(look paint, text sanitize.Text) []styled {
	lines := c.paragraph(look, text)
	return lines[:min(2, len(lines))]
}

// ruled is a line across, with words near its end or none.
func (c canvas) ruled(words sanitize.Text) styled {
	rule := func(n int) styled {
		return c.theme.faint.draw(sanitize.Text(strings.Repeat(string(c.glyphs.rule), max(0, n))))
	}
	if words == "" || cells(words)+4 > c.width {
		return rule(c.width)
	}
	return rule(c.width-cells(words)-2) + c.theme.dim.draw(words) + rule(2)
}

// headed is a line across with words near its start.
func (c canvas) headed(words sanitize.Text) styled {
	words = c.cut(words, c.width-4)
	rule := c.ruled("")
	return fit(rule, 2) + " " + c.theme.accent.draw(words) + " " + fit(rule, max(0, c.width-cells(words)-4))
}

// indentedAs breaks a line so that what goes on stands below its beginning.
func (c canvas) indentedAs(line sanitize.Text) []styled {
	spaces := len(line) - len(strings.TrimLeft(string(line), " "))
	room := min(spaces, c.width/2)
	return hang(c.theme.code.draw(line[:room]), c.narrow(room).paragraph(c.theme.code, line[spaces:]))
}

// keyLine draws keys with what they do, over as many lines as it takes.
func (c canvas) keyLine(keys [][2]sanitize.Text) []styled {
	var lines []styled
	var line styled
	for _, k := range keys {
		part := c.theme.accent.draw(k[0]) + " " + c.theme.dim.draw(k[1])
		if line != "" && cells(line)+3+cells(part) > c.width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += "   "
		}
		line += part
	}
	return append(lines, line)
}

// filled draws parts one after another, over as many lines as it takes.
func (c canvas) filled(parts []styled) []styled {
	var lines []styled
	var line styled
	for _, part := range parts {
		if line != "" && cells(line)+2+cells(part) > c.width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += "  "
		}
		line += part
	}
	return append(lines, line)
}

// marked draws a bar at the left of the block with the focus: in the cell that
// every block leaves free behind its sign, so that nothing moves.
func (c canvas) marked(lines []styled) []styled {
	bar := c.theme.accent.draw(c.glyphs.focus)
	with := make([]styled, len(lines))
	for i, line := range lines {
		s := string(line)
		with[i] = pad(styled(ansi.Truncate(s, 1, "")), 1) + bar + styled(ansi.TruncateLeft(s, 2, ""))
	}
	return with
}

// ending is as much of the end of some words as a width has room for. It looks at no
// more of them than that: a whole file may have been pasted.
func ending(words sanitize.Text, width int) sanitize.Text {
	for from := len(words); from > 0; {
		_, size := utf8.DecodeLastRuneInString(string(words[:from]))
		if cells(words[from-size:]) > width {
			return words[from:]
		}
		from -= size
	}
	return words
}

// lit draws a candidate with the places that fit in a look of their own. The hits
// are offsets in the words, which are clean.
func lit(words sanitize.Text, hits []int, look, hit paint) styled {
	looks := map[bool]paint{false: look, true: hit}
	var drawn styled
	from, on := 0, false
	for i := range string(words) {
		if at := slices.Contains(hits, i); at != on {
			drawn += looks[on].draw(words[from:i])
			from, on = i, at
		}
	}
	return drawn + looks[on].draw(words[from:])
}

// tail draws a name, or as much of its end as there is room for: there it differs
// from its neighbours.
func (c canvas) tail(name string, hits []int, look paint, room int) styled {
	words := sanitize.Line(name)
	mark, from := styled(""), 0
	if cells(words) > room {
		mark = look.draw(c.glyphs.more)
		from = len(words) - len(ending(words, room-cells(c.glyphs.more)))
	}
	var kept []int
	for _, hit := range hits {
		kept = append(kept, hit-from)
	}
	return mark + lit(words[from:], kept, look, c.theme.strong)
}

// around is the part of a long line that has its first hit in sight.
func (c canvas) around(words sanitize.Text, hits []int, width int) (sanitize.Text, []int) {
	if len(hits) == 0 || cells(words) <= width {
		return words, hits
	}
	from := slices.Min(hits)
	if cells(words[:from]) < width*2/3 {
		return words, hits
	}
	for lead := 0; from > 0 && lead < width/3; lead++ {
		from--
		for from > 0 && words[from]&0xc0 == 0x80 { // within a character
			from--
		}
	}
	moved := make([]int, 0, len(hits))
	for _, hit := range hits {
		if hit >= from {
			moved = append(moved, hit-from+len(c.glyphs.more))
		}
	}
	return c.glyphs.more + words[from:], moved
}
