package draw

import (
	"fmt"
	"strconv"
	"strings"

	"pawl/agent/sanitize"
)

// diffLine is one line of a unified diff to be drawn.
type diffLine struct {
	sign   byte // ' ', '+', '-'; '@' for a gap between hunks, 'f' for another file
	number int  // its line number in the new file, or in the old one if removed
	text   string
	// The bytes of text that differ from the line that it replaced, or that replaced it; none if
	// from >= to.
	from, to int
}

// RenderDiff draws a unified diff: changes coloured and with their signs, lines with their
// numbers, changed words in bold. The name of the first file is not drawn, because it is above
// the diff already.
func RenderDiff(c Canvas, diff string) []Styled {
	all := readDiff(diff)
	pairWords(all)
	digits := 0
	for _, line := range all {
		digits = max(digits, len(strconv.Itoa(line.number)))
	}
	if c.Width < 20 { // no room for numbers
		digits = 0
	}
	var lines []Styled
	for _, line := range all {
		lines = append(lines, line.render(c, digits)...)
	}
	return lines
}

// readDiff parses the lines of a diff. Other text is kept as it is.
func readDiff(diff string) []diffLine {
	var all []diffLine
	before, after := 0, 0         // next line numbers
	leftBefore, leftAfter := 0, 0 // left in the current hunk
	for line := range strings.SplitSeq(strings.TrimRight(diff, "\n"), "\n") {
		if leftBefore <= 0 && leftAfter <= 0 {
			if title, isHead := headOf(line); isHead {
				if title != "" && len(all) > 0 {
					all = append(all, diffLine{sign: 'f', text: title})
				}
				continue
			}
		}
		if b, a, words, ok := hunkOf(line); ok {
			if len(all) > 0 && all[len(all)-1].sign != 'f' || words != "" {
				all = append(all, diffLine{sign: '@', text: words})
			}
			before, after, leftBefore, leftAfter = b.at, a.at, b.lines, a.lines
			continue
		}
		switch {
		case strings.HasPrefix(line, "+"):
			all = append(all, diffLine{sign: '+', number: after, text: line[1:]})
			after, leftAfter = after+1, leftAfter-1
		case strings.HasPrefix(line, "-"):
			all = append(all, diffLine{sign: '-', number: before, text: line[1:]})
			before, leftBefore = before+1, leftBefore-1
		case strings.HasPrefix(line, `\`):
			all = append(all, diffLine{sign: '@', text: strings.TrimPrefix(line, `\ `)})
		default:
			all = append(all, diffLine{sign: ' ', number: after, text: strings.TrimPrefix(line, " ")})
			before, after, leftBefore, leftAfter = before+1, after+1, leftBefore-1, leftAfter-1
		}
	}
	for len(all) > 0 && all[len(all)-1].sign == ' ' && strings.TrimSpace(all[len(all)-1].text) == "" {
		all = all[:len(all)-1]
	}
	return all
}

// headOf reports whether a line is above the hunks of a file, and returns the file's new name if
// the line has it.
func headOf(line string) (title string, is bool) {
	if name, ok := strings.CutPrefix(line, "+++ "); ok {
		return strings.TrimPrefix(name, "b/"), true
	}
	for _, start := range []string{"--- ", "diff ", "index ", "new file", "deleted file"} {
		if strings.HasPrefix(line, start) {
			return "", true
		}
	}
	return "", false
}

// side is a hunk's position in one of the files.
type side struct{ at, lines int }

// hunkOf parses the head of a hunk, as in @@ -1,4 +1,5 @@ func f().
func hunkOf(line string) (before, after side, words string, ok bool) {
	rest, ok := strings.CutPrefix(line, "@@ ")
	if !ok {
		return before, after, "", false
	}
	places, words, ok := strings.Cut(rest, " @@")
	if !ok {
		return before, after, "", false
	}
	read := func(text string) (s side) {
		s.lines = 1
		if n, err := fmt.Sscanf(text[1:], "%d,%d", &s.at, &s.lines); err != nil && n == 0 {
			return side{}
		}
		return s
	}
	old, now, ok := strings.Cut(places, " ")
	if !ok || !strings.HasPrefix(old, "-") || !strings.HasPrefix(now, "+") {
		return before, after, "", false
	}
	return read(old), read(now), strings.TrimSpace(words), true
}

// pairWords finds what changed inside of lines: if as many lines were added as removed, each is
// compared with the one it replaced.
func pairWords(all []diffLine) {
	for i := 0; i < len(all); {
		gone := i
		for i < len(all) && all[i].sign == '-' {
			i++
		}
		came := i
		for i < len(all) && all[i].sign == '+' {
			i++
		}
		if n := came - gone; n > 0 && i-came == n {
			for k := range n {
				differ(&all[gone+k], &all[came+k])
			}
		}
		if i == gone {
			i++
		}
	}
}

// differ marks the part in which two lines differ, if they share at least half: otherwise the
// whole line counts as new.
func differ(a, b *diffLine) {
	one, two := []rune(a.text), []rune(b.text)
	start := 0
	for start < len(one) && start < len(two) && one[start] == two[start] {
		start++
	}
	end := 0
	for end < len(one)-start && end < len(two)-start && one[len(one)-1-end] == two[len(two)-1-end] {
		end++
	}
	if shared := start + end; shared*2 < len(one) || shared*2 < len(two) {
		return
	}
	a.from, a.to = len(string(one[:start])), len(string(one[:len(one)-end]))
	b.from, b.to = len(string(two[:start])), len(string(two[:len(two)-end]))
}

// render draws a line after its number, wrapped below its text.
func (d diffLine) render(c Canvas, digits int) []Styled {
	look, part := c.Theme.Dim, c.Theme.Strong
	switch d.sign {
	case 'f':
		return c.Paragraph(c.Theme.Strong, sanitize.Line(d.text))
	case '@':
		words := c.Glyphs.More
		if d.text != "" {
			words += " " + sanitize.Line(d.text)
		}
		return []Styled{c.Theme.Faint.Draw(c.Cut(words, c.Width))}
	case '+':
		look, part = c.Theme.Added, c.Theme.AddedPart
	case '-':
		look, part = c.Theme.Removed, c.Theme.RemovedPart
	}
	var number Styled
	if digits > 0 {
		number = c.Theme.Faint.Draw(Sprintf("%*d", digits, d.number)) + " "
	}
	sign := number + look.Draw(sanitize.Text(d.sign))
	var text Styled
	if d.from < d.to {
		text = look.Draw(sanitize.Clean(d.text[:d.from])) + part.Draw(sanitize.Clean(d.text[d.from:d.to])) + look.Draw(sanitize.Clean(d.text[d.to:]))
	} else {
		text = look.Draw(sanitize.Clean(d.text))
	}
	return Hang(sign, c.Narrow(digits+2).broken(text))
}
