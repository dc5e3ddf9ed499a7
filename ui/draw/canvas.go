package draw

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/ui/markdown"
)

// Canvas is what every part draws with: the width, the theme and the time. It is a value; parts
// narrow it for what is inside them.
type Canvas struct {
	Theme    Theme
	Glyphs   Glyphs
	Markdown *Prose
	Width    int
	Now      time.Time
	Frame    int    // frame of the spinner
	Details  bool   // outputs and thoughts are shown
	Shut     bool   // only the head line of a block is shown
	Links    bool   // the terminal supports hyperlinks
	Borders  bool   // the screen is high enough for borders
	Folder   string // names of files in it become links; empty for none
}

// Narrow returns a canvas that is by cells narrower, but at least one wide.
func (c Canvas) Narrow(by int) Canvas {
	c.Width = max(1, c.Width-by)
	return c
}

// ContentWidth is the most cells that the columns of a line take: what belongs together stands
// together, and the eye crosses no empty half of a wide screen.
const ContentWidth = 140

// Content returns a canvas for lines with columns, or with words at both ends.
func (c Canvas) Content() Canvas {
	c.Width = min(c.Width, ContentWidth)
	return c
}

// Prose returns a canvas for running text, no wider than that is read with ease.
func (c Canvas) Prose() Canvas {
	c.Width = min(c.Width, markdown.ProseWidth)
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

// Cut shortens text to a width, with a mark that there was more.
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

// CutWords is Cut, but after a whole word if one ends near enough.
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

// CutStyled is Cut for a drawn line.
func (c Canvas) CutStyled(s Styled, width int) Styled {
	if Cells(s) <= width {
		return s
	}
	return Styled(c.Cut(sanitize.Text(s), width))
}

// Cells is the width of a drawn line.
func Cells[T ~string](s T) int { return ansi.StringWidth(string(s)) }

// Pad fills a drawn line with spaces to a width.
func Pad(s Styled, width int) Styled {
	if missing := width - Cells(s); missing > 0 {
		return s + Styled(strings.Repeat(" ", missing))
	}
	return s
}

// Between draws left and right at the two ends of a line; left is cut if needed.
func (c Canvas) Between(left, right Styled) Styled {
	room := c.Width - Cells(right)
	if right == "" || room < 4 {
		return Fit(left, c.Width)
	}
	return Pad(c.CutStyled(left, room-1), room) + right
}

// Hang puts a sign before the first line and indents the others as much.
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

// Rewrap wraps a drawn line. Each of its lines repeats the looks in force.
func (c Canvas) Rewrap(s Styled) []Styled { return apart(ansi.Wrap(string(s), c.Width, "")) }

// broken breaks a drawn line at the width, for code: nothing is moved and no space dropped.
func (c Canvas) broken(line Styled) []Styled {
	if Cells(line) <= c.Width {
		return []Styled{line}
	}
	return apart(ansi.Hardwrap(string(line), c.Width, true))
}

// Join joins the parts that are not empty with a dot between them.
func (c Canvas) Join(parts ...Styled) Styled {
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, string(part))
		}
	}
	return Styled(strings.Join(kept, string(c.Theme.Faint.Draw(" "+c.Glyphs.Dot+" "))))
}

// Sprintf formats values with a format of ours; values that are not clean are cleaned.
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

// Tokens writes a number of tokens: 950, 1.2k, 34k, 1.2M.
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

// Dollars writes a cost; empty if it is not known.
func Dollars(cost float64) sanitize.Text {
	switch {
	case cost <= 0:
		return ""
	case cost < 0.01:
		return "<$0.01"
	}
	return Sprintf("$%.2f", cost)
}
