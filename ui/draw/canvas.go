package draw

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
)

// Canvas is what every part draws with: how wide it is, how things look, and
// when it is. It is a value; parts narrow it for what stands inside them.
type Canvas struct {
	Theme    Theme
	Glyphs   Glyphs
	Markdown *Prose
	Width    int
	Now      time.Time
	Frame    int    // of the spinner
	Details  bool   // outputs and thoughts are open
	Shut     bool   // of a block nothing but its line is wanted
	Links    bool   // the terminal takes hyperlinks
	Folder   string // whose files are links; empty for none
}

// Narrow gives a canvas with so many cells fewer, and at least one.
func (c Canvas) Narrow(by int) Canvas {
	c.Width = max(1, c.Width-by)
	return c
}

// Wrap breaks text into lines no wider than width, between words where it can.
func Wrap(t sanitize.Text, width int) []sanitize.Text {
	if width < 1 {
		width = 1
	}
	var lines []sanitize.Text
	for _, line := range t.Lines() {
		if len(line) <= width { // bytes are never fewer than cells
			lines = append(lines, line)
			continue
		}
		lines = append(lines, sanitize.Text(ansi.Wrap(string(line), width, "")).Lines()...)
	}
	return lines
}

// Fit cuts a drawn line to a width.
func Fit(s Styled, width int) Styled {
	if len(s) <= width || width <= 0 && s == "" {
		return s
	}
	if width <= 0 {
		return ""
	}
	return Styled(ansi.Truncate(string(s), width, ""))
}

// Cut shortens text to a width and shows that it did.
func (c Canvas) Cut(t sanitize.Text, width int) sanitize.Text {
	if len(t) <= width {
		return t
	}
	if width <= 0 {
		return ""
	}
	tail := string(c.Glyphs.More)
	if width <= len(tail) && len(tail) > 1 && tail[0] == '.' {
		tail = ""
	}
	return sanitize.Text(ansi.Truncate(string(t), width, tail))
}

// CutWords shortens text as cut does, behind a whole word where one ends near enough.
func (c Canvas) CutWords(t sanitize.Text, width int) sanitize.Text {
	short := c.Cut(t, width)
	if short == t || !strings.HasSuffix(string(short), string(c.Glyphs.More)) {
		return short
	}
	kept := short[:len(short)-len(c.Glyphs.More)]
	if at := strings.LastIndexByte(string(kept), ' '); at > len(kept)*2/3 && t[len(kept)] != ' ' {
		return sanitize.Text(strings.TrimRight(string(kept[:at]), " ")) + c.Glyphs.More
	}
	return short
}

// CutStyled is cut for a line that is drawn already.
func (c Canvas) CutStyled(s Styled, width int) Styled {
	if Cells(s) <= width {
		return s
	}
	return Styled(c.Cut(sanitize.Text(s), width))
}

// Cells is how wide a drawn line is.
func Cells[T ~string](s T) int { return ansi.StringWidth(string(s)) }

// Pad fills a drawn line to a width.
func Pad(s Styled, width int) Styled {
	if missing := width - Cells(s); missing > 0 {
		return s + Styled(strings.Repeat(" ", missing))
	}
	return s
}

// Between draws left and right at the two ends of a line; left gives way.
func (c Canvas) Between(left, right Styled) Styled {
	room := c.Width - Cells(right)
	if right == "" || room < 4 {
		return Fit(left, c.Width)
	}
	return Pad(c.CutStyled(left, room-1), room) + right
}

// Hang puts a sign before the first of some lines and as much room before the
// others.
func Hang(sign Styled, lines []Styled) []Styled {
	room := Styled(strings.Repeat(" ", Cells(sign)))
	hung := make([]Styled, len(lines))
	for i, line := range lines {
		if i == 0 {
			hung[i] = sign + line
		} else {
			hung[i] = room + line
		}
	}
	return hung
}

// Paragraph draws wrapped text in one look.
func (c Canvas) Paragraph(p Paint, t sanitize.Text) []Styled {
	var lines []Styled
	for _, line := range Wrap(t, c.Width) {
		lines = append(lines, p.Draw(line))
	}
	return lines
}

// Rewrap breaks a line that is drawn already, between words where it can.
func (c Canvas) Rewrap(s Styled) []Styled { return apart(ansi.Wrap(string(s), c.Width, "")) }

// broken breaks a drawn line where the width ends, for code: nothing is moved, no
// space dropped.
func (c Canvas) broken(line Styled) []Styled {
	if Cells(line) <= c.Width {
		return []Styled{line}
	}
	return apart(ansi.Hardwrap(string(line), c.Width, true))
}

// Join puts the parts that are not empty behind one another, with a dot
// between.
func (c Canvas) Join(parts ...Styled) Styled {
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, string(part))
		}
	}
	return Styled(strings.Join(kept, string(c.Theme.Faint.Draw(" "+c.Glyphs.Dot+" "))))
}

// Sprintf formats words of ours with values; those that are not clean are cleaned.
func Sprintf(format string, values ...any) sanitize.Text {
	for i, v := range values {
		switch v.(type) {
		case sanitize.Text, int, int64, float64:
		default:
			values[i] = sanitize.Line(fmt.Sprint(v))
		}
	}
	return sanitize.Text(fmt.Sprintf(format, values...))
}

// Tokens is a number of tokens as people read it: 950, 1.2k, 34k, 1.2M.
func Tokens(n int64) sanitize.Text {
	switch {
	case n < 1000:
		return Sprintf("%d", n)
	case n < 10_000:
		return Sprintf("%.1fk", float64(n)/1000)
	case n < 1_000_000:
		return Sprintf("%dk", n/1000)
	}
	return Sprintf("%.1fM", float64(n)/1e6)
}

// Dollars is a cost, empty where none is known.
func Dollars(cost float64) sanitize.Text {
	switch {
	case cost <= 0:
		return ""
	case cost < 0.01:
		return "<$0.01"
	}
	return Sprintf("$%.2f", cost)
}
