package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
)

// canvas is what every part draws with: how wide it is, how things look, and
// when it is. It is a value; parts narrow it for what stands inside them.
type canvas struct {
	theme    theme
	glyphs   glyphs
	markdown *prose
	width    int
	now      time.Time
	frame    int    // of the spinner
	details  bool   // outputs and thoughts are open
	shut     bool   // of a block nothing but its line is wanted
	links    bool   // the terminal takes hyperlinks
	folder   string // whose files are links; empty for none
}

func (c canvas) narrow(by int) canvas {
	c.width = max(1, c.width-by)
	return c
}

// wrap breaks text into lines no wider than width, between words where it can.
func wrap(t sanitize.Text, width int) []sanitize.Text {
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

// fit cuts a drawn line to a width.
func fit(s styled, width int) styled {
	if len(s) <= width || width <= 0 && s == "" {
		return s
	}
	if width <= 0 {
		return ""
	}
	return styled(ansi.Truncate(string(s), width, ""))
}

// cut shortens text to a width and shows that it did.
func (c canvas) cut(t sanitize.Text, width int) sanitize.Text {
	if len(t) <= width {
		return t
	}
	if width <= 0 {
		return ""
	}
	tail := string(c.glyphs.more)
	if width <= len(tail) && len(tail) > 1 && tail[0] == '.' {
		tail = ""
	}
	return sanitize.Text(ansi.Truncate(string(t), width, tail))
}

// cutWords shortens text as cut does, behind a whole word where one ends near enough.
func (c canvas) cutWords(t sanitize.Text, width int) sanitize.Text {
	short := c.cut(t, width)
	if short == t || !strings.HasSuffix(string(short), string(c.glyphs.more)) {
		return short
	}
	kept := short[:len(short)-len(c.glyphs.more)]
	if at := strings.LastIndexByte(string(kept), ' '); at > len(kept)*2/3 && t[len(kept)] != ' ' {
		return sanitize.Text(strings.TrimRight(string(kept[:at]), " ")) + c.glyphs.more
	}
	return short
}

// cutStyled is cut for a line that is drawn already.
func (c canvas) cutStyled(s styled, width int) styled {
	if cells(s) <= width {
		return s
	}
	return styled(c.cut(sanitize.Text(s), width))
}

// cells is how wide a drawn line is.
func cells[T ~string](s T) int { return ansi.StringWidth(string(s)) }

// pad fills a drawn line to a width.
func pad(s styled, width int) styled {
	if missing := width - cells(s); missing > 0 {
		return s + styled(strings.Repeat(" ", missing))
	}
	return s
}

// between draws left and right at the two ends of a line; left gives way.
func (c canvas) between(left, right styled) styled {
	room := c.width - cells(right)
	if right == "" || room < 4 {
		return fit(left, c.width)
	}
	return pad(c.cutStyled(left, room-1), room) + right
}

// hang puts a sign before the first of some lines and as much room before the
// others.
func hang(sign styled, lines []styled) []styled {
	room := styled(strings.Repeat(" ", cells(sign)))
	hung := make([]styled, len(lines))
	for i, line := range lines {
		if i == 0 {
			hung[i] = sign + line
		} else {
			hung[i] = room + line
		}
	}
	return hung
}

// paragraph draws wrapped text in one look.
func (c canvas) paragraph(p paint, t sanitize.Text) []styled {
	var lines []styled
	for _, line := range wrap(t, c.width) {
		lines = append(lines, p.draw(line))
	}
	return lines
}

// rewrap breaks a line that is drawn already.
func (c canvas) rewrap(s styled) []styled {
	var lines []styled
	for _, line := range wrap(sanitize.Text(s), c.width) {
		lines = append(lines, styled(line))
	}
	return lines
}

// joined puts the parts that are not empty behind one another, with a dot
// between.
func (c canvas) joined(parts ...styled) styled {
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, string(part))
		}
	}
	return styled(strings.Join(kept, string(c.theme.faint.draw(" "+c.glyphs.dot+" "))))
}

// say formats words of ours with values; those that are not clean are cleaned.
func say(format string, values ...any) sanitize.Text {
	for i, v := range values {
		switch v.(type) {
		case sanitize.Text, int, int64, float64:
		default:
			values[i] = sanitize.Line(fmt.Sprint(v))
		}
	}
	return sanitize.Text(fmt.Sprintf(format, values...))
}

// count is a number of tokens as people read it: 950, 1.2k, 34k, 1.2M.
func count(n int64) sanitize.Text {
	switch {
	case n < 1000:
		return say("%d", n)
	case n < 10_000:
		return say("%.1fk", float64(n)/1000)
	case n < 1_000_000:
		return say("%dk", n/1000)
	}
	return say("%.1fM", float64(n)/1e6)
}

// dollars is a cost, empty where none is known.
func dollars(cost float64) sanitize.Text {
	switch {
	case cost <= 0:
		return ""
	case cost < 0.01:
		return "<$0.01"
	}
	return say("$%.2f", cost)
}
