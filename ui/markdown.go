package ui

import (
	"strings"

	xansi "github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/ui/markdown"
)

// prose draws what models write: the lines of the room markdown, in the looks of a
// theme. A piece is drawn once and then kept by its block.
type prose struct {
	theme theme
	signs markdown.Signs
	ons   map[markdown.Look]string // what turns each look on
	drawn []byte                   // where a line is put together
}

func newProse(t theme, ascii bool) *prose {
	g := newGlyphs(ascii)
	signs := markdown.Signs{Bullet: "•", Bar: g.bar, Rule: g.rule, Cross: "┼", Turned: g.turned, Ticked: "☑", Unticked: "☐"}
	if ascii {
		signs.Bullet, signs.Cross, signs.Ticked, signs.Unticked = "*", "+", "[x]", "[ ]"
	}
	return &prose{theme: t, signs: signs, ons: map[markdown.Look]string{}}
}

// render gives the lines of one piece of Markdown, none wider than width.
func (p *prose) render(t sanitize.Text, width int) []styled {
	return p.all(markdown.Render(t, width, p.signs))
}

func (p *prose) all(lines []markdown.Line) []styled {
	drawn := make([]styled, len(lines))
	for i, line := range lines {
		drawn[i] = p.line(line)
	}
	return drawn
}

// line draws a line. What looks alike is turned on once.
func (p *prose) line(line markdown.Line) styled {
	on, drawn := "", p.drawn[:0]
	for _, span := range line {
		if look := p.on(span.Look); look != on {
			if on != "" {
				drawn = append(drawn, off...)
			}
			drawn = append(drawn, look...)
			on = look
		}
		drawn = append(drawn, span.Text...)
	}
	if on != "" {
		drawn = append(drawn, off...)
	}
	p.drawn = drawn
	return styled(drawn)
}

// off turns all looks off.
const off = "\x1b[m"

// on is what turns a look on.
func (p *prose) on(look markdown.Look) string {
	if look == (markdown.Look{}) {
		return ""
	}
	on, known := p.ons[look]
	if !known {
		ink, weight := p.theme.ink(look)
		on = sequenceOf(ink, look.Weight|weight)
		p.ons[look] = on
	}
	return on
}

// sequenceOf turns an ink and weights on at once, empty for neither.
func sequenceOf(ink paint, weight markdown.Weight) string {
	var codes []string
	for _, of := range []struct {
		weight markdown.Weight
		code   string
	}{{markdown.Strong, "1"}, {markdown.Emphasis, "3"}, {markdown.Underlined, "4"}, {markdown.Struck, "9"}} {
		if weight&of.weight != 0 {
			codes = append(codes, of.code)
		}
	}
	if ink.on != "" {
		codes = append(codes, strings.TrimSuffix(strings.TrimPrefix(ink.on, "\x1b["), "m"))
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// ink is the colour of a look, and the weight that belongs to it: few, for text
// stands between. Where there are no colours, code between words is strong.
func (t theme) ink(look markdown.Look) (paint, markdown.Weight) {
	switch look.Ink {
	case markdown.InkText:
		return t.text, 0
	case markdown.InkQuoted:
		if t.inks.code == "" {
			return t.text, markdown.Strong
		}
		return t.code, 0
	case markdown.InkCode:
		return t.highlight(look.Code)
	case markdown.InkLink:
		return t.code, 0
	case markdown.InkAddress:
		return t.inks.dim.draws(), 0
	case markdown.InkSign:
		return t.faint, 0
	}
	return t.text, 0
}

// blank reports whether a drawn line shows nothing.
func blank(line string) bool { return strings.TrimSpace(xansi.Strip(line)) == "" }
