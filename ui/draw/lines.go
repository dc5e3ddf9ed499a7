package draw

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
)

// Finish prepares drawn lines for the screen: cut to the width, with the web addresses of their
// text as links.
func (c Canvas) Finish(lines []Styled, text string) []Styled {
	lines = c.linked(lines, text)
	for i, line := range lines {
		lines[i] = Fit(line, c.Width)
	}
	return lines
}

// Indent indents lines by the two cells of a sign.
func Indent(lines []Styled) []Styled { return IndentBy(2, lines) }

// IndentBy indents the lines that are not empty.
func IndentBy(cells int, lines []Styled) []Styled {
	room := Pad("", cells)
	shifted := make([]Styled, len(lines))
	for i, line := range lines {
		if line != "" {
			shifted[i] = room + line
		}
	}
	return shifted
}

// JoinLines joins the lines of a text, or drawn lines.
func JoinLines[T ~string](lines []T) string {
	parts := make([]string, len(lines))
	for i, line := range lines {
		parts[i] = string(line)
	}
	return strings.Join(parts, "\n")
}

// Brief draws at most two lines of a text.
func (c Canvas) Brief(look Paint, text sanitize.Text) []Styled {
	lines := c.Content().Paragraph(look, text)
	return lines[:min(2, len(lines))]
}

// Ruled is a horizontal rule, with words near its end if there are any: on a wide screen no
// farther right than lines go.
func (c Canvas) Ruled(words sanitize.Text) Styled {
	rule := func(n int) Styled {
		return c.Theme.Faint.Draw(sanitize.Text(strings.Repeat(string(c.Glyphs.Rule), max(0, n))))
	}
	if words == "" || Cells(words)+4 > c.Width {
		return rule(c.Width)
	}
	before := c.Content().Width - Cells(words) - 2
	return rule(before) + c.Theme.Dim.Draw(words) + rule(c.Width-before-Cells(words))
}

// Beside draws two columns with a line between them, in so many lines; the left one is so wide. Lip
// Gloss would measure each of them four times.
func (c Canvas) Beside(left []Styled, width int, right []Styled, height int) []Styled {
	bar := c.Theme.Faint.Draw(c.Glyphs.Bar)
	lines := make([]Styled, height)
	for i := range lines {
		if i < len(left) {
			lines[i] = left[i]
		}
		lines[i] = Pad(lines[i], width) + " " + bar
		if i < len(right) {
			lines[i] += " " + right[i]
		}
	}
	return lines
}

// WidestBar is the most cells of a bar beside words.
const WidestBar = 40

// Bar is a line of a width of which a share, from 0 to 1, is filled.
func (c Canvas) Bar(width int, share float64) Styled {
	return c.barred(width, 0, max(0, min(width, int(share*float64(width)))))
}

// MovingBar is a line of a width for work whose end is not known: a piece of it is filled, which
// goes to and fro by as many cells as moves. It stands while nothing comes, and with reduced motion
// there is none.
func (c Canvas) MovingBar(width, moves int) Styled {
	piece := width / 4
	free := width - piece
	if piece == 0 || !c.Glyphs.Moves() {
		return ""
	}
	at := moves % (2 * free)
	return c.barred(width, min(at, 2*free-at), piece)
}

// barred is a line of a width that is filled for some cells from a place on.
func (c Canvas) barred(width, from, filled int) Styled {
	rest := func(n int) Styled { return c.Theme.Faint.Draw(sanitize.Text(strings.Repeat(string(c.Glyphs.Rule), n))) }
	return rest(from) + c.Theme.Accent.Draw(sanitize.Text(strings.Repeat("━", filled))) + rest(width-from-filled)
}

// RuledAfter is a rule that begins with something drawn, with words near its end if there are any.
func (c Canvas) RuledAfter(first Styled, words sanitize.Text) Styled {
	if first == "" || Cells(first)+Cells(words)+8 > c.Width {
		return c.Ruled(words)
	}
	first = c.Narrow(c.Width-2).Ruled("") + " " + first + " "
	return first + c.Narrow(Cells(first)).Ruled(words)
}

// Heading is a horizontal rule with words near its start.
func (c Canvas) Heading(words sanitize.Text) Styled {
	words = c.Cut(words, c.Width-4)
	rule := c.Ruled("")
	return Fit(rule, 2) + " " + c.Theme.Accent.Draw(words) + " " + Fit(rule, max(0, c.Width-Cells(words)-4))
}

// HangIndent wraps a line and indents its further lines like the first.
func (c Canvas) HangIndent(line sanitize.Text) []Styled {
	spaces := len(line) - len(strings.TrimLeft(string(line), " "))
	room := min(spaces, c.Width/2)
	return Hang(c.Theme.Code.Draw(line[:room]), c.Narrow(room).Paragraph(c.Theme.Code, line[spaces:]))
}

// KeyLine draws keys with what they do, on as many lines as needed.
func (c Canvas) KeyLine(keys [][2]sanitize.Text) []Styled {
	var lines []Styled
	var line Styled
	for _, k := range keys {
		part := c.Theme.Accent.Draw(k[0]) + " " + c.Theme.Dim.Draw(k[1])
		if line != "" && Cells(line)+3+Cells(part) > c.Width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += "   "
		}
		line += part
	}
	return append(lines, line)
}

// Flow draws parts one after another, on as many lines as needed.
func (c Canvas) Flow(parts []Styled) []Styled {
	var lines []Styled
	var line Styled
	for _, part := range parts {
		if line != "" && Cells(line)+2+Cells(part) > c.Width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += "  "
		}
		line += part
	}
	return append(lines, line)
}

// MarkLeft draws a bar at the left of the focused block, in the cell that every block leaves
// free after its sign, so that nothing moves.
func (c Canvas) MarkLeft(lines []Styled) []Styled {
	bar := c.Theme.Accent.Draw(c.Glyphs.Focus)
	with := make([]Styled, len(lines))
	for i, line := range lines {
		s := string(line)
		with[i] = Pad(Styled(ansi.Truncate(s, 1, "")), 1) + bar + Styled(ansi.TruncateLeft(s, 2, ""))
	}
	return with
}

// KeepEnd is the end of some words that fits a width. It looks at no more than that: a whole
// file may have been pasted.
func KeepEnd(words sanitize.Text, width int) sanitize.Text {
	for from := len(words); from > 0; {
		_, size := utf8.DecodeLastRuneInString(string(words[:from]))
		if Cells(words[from-size:]) > width {
			return words[from:]
		}
		from -= size
	}
	return words
}

// Highlight draws a candidate with its hits in a look of their own. Hits are byte offsets in the
// words, which are clean.
func Highlight(words sanitize.Text, hits []int, look, hit Paint) Styled {
	looks := map[bool]Paint{false: look, true: hit}
	var drawn Styled
	from, on := 0, false
	for i := range string(words) {
		if at := slices.Contains(hits, i); at != on {
			drawn += looks[on].Draw(words[from:i])
			from, on = i, at
		}
	}
	return drawn + looks[on].Draw(words[from:])
}

// Tail draws a name or, if it is too long, its end, which differs most from its neighbours.
func (c Canvas) Tail(name string, hits []int, look Paint, room int) Styled {
	words := sanitize.Line(name)
	mark, from := Styled(""), 0
	if Cells(words) > room {
		mark = look.Draw(c.Glyphs.More)
		from = len(words) - len(KeepEnd(words, room-Cells(c.Glyphs.More)))
	}
	var kept []int
	for _, hit := range hits {
		kept = append(kept, hit-from)
	}
	return mark + Highlight(words[from:], kept, look, c.Theme.Strong)
}

// Around is the part of a long line that contains its first hit.
func (c Canvas) Around(words sanitize.Text, hits []int, width int) (sanitize.Text, []int) {
	if len(hits) == 0 || Cells(words) <= width {
		return words, hits
	}
	from := slices.Min(hits)
	if Cells(words[:from]) < width*2/3 {
		return words, hits
	}
	for lead := 0; from > 0 && lead < width/3; lead++ {
		from--
		for from > 0 && words[from]&0xc0 == 0x80 { // inside a character
			from--
		}
	}
	moved := make([]int, 0, len(hits))
	for _, hit := range hits {
		if hit >= from {
			moved = append(moved, hit-from+len(c.Glyphs.More))
		}
	}
	return c.Glyphs.More + words[from:], moved
}
