package draw

import (
	"strings"

	xansi "github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/ui/markdown"
)

// Prose draws Markdown by models in the looks of a theme.
type Prose struct {
	theme Theme
	Signs markdown.Signs
	ons   map[markdown.Look]string // the sequence that turns each look on
	drawn []byte                   // buffer for a line
}

// NewProse returns a Prose for a theme.
func NewProse(t Theme, ascii bool) *Prose {
	g := NewGlyphs(ascii)
	signs := markdown.Signs{Bullet: "•", Bar: g.Bar, Rule: g.Rule, Cross: "┼", Turned: g.turned, Ticked: "☑", Unticked: "☐"}
	if ascii {
		signs.Bullet, signs.Cross, signs.Ticked, signs.Unticked = "*", "+", "[x]", "[ ]"
	}
	return &Prose{theme: t, Signs: signs, ons: map[markdown.Look]string{}}
}

// Render draws Markdown in lines no wider than width.
func (p *Prose) Render(t sanitize.Text, width int) []Styled {
	return p.Lines(markdown.Render(t, width, p.Signs))
}

// Lines draws the lines of rendered Markdown.
func (p *Prose) Lines(lines []markdown.Line) []Styled {
	drawn := make([]Styled, len(lines))
	for i, line := range lines {
		drawn[i] = p.Line(line)
	}
	return drawn
}

// Line draws a line. Adjacent spans of the same look share one sequence.
func (p *Prose) Line(line markdown.Line) Styled {
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
	return Styled(drawn)
}

// off turns all looks off.
const off = "\x1b[m"

// on is the sequence that turns a look on.
func (p *Prose) on(look markdown.Look) string {
	if look == (markdown.Look{}) {
		return ""
	}
	on, known := p.ons[look]
	if !known {
		ink, weight := p.theme.ink(look)
		weight |= look.Weight
		on = paintOf(ink.style().
			Bold(weight&markdown.Strong != 0).
			Italic(weight&markdown.Emphasis != 0).
			Underline(weight&markdown.Underlined != 0).
			Strikethrough(weight&markdown.Struck != 0)).on()
		p.ons[look] = on
	}
	return on
}

// ink is the colour of a look, with a weight if it needs one. Without colours inline code is
// bold.
func (t Theme) ink(look markdown.Look) (Paint, markdown.Weight) {
	switch look.Ink {
	case markdown.InkText:
		return t.Text, 0
	case markdown.InkQuoted:
		if t.Inks.code == "" {
			return t.Text, markdown.Strong
		}
		return t.Code, 0
	case markdown.InkCode:
		return t.highlight(look.Code)
	case markdown.InkLink:
		return t.Code, 0
	case markdown.InkAddress:
		return t.Inks.dim.draws(), 0
	case markdown.InkSign:
		return t.Faint, 0
	}
	return t.Text, 0
}

// Blank reports whether a drawn line shows nothing.
func Blank(line string) bool { return strings.TrimSpace(xansi.Strip(line)) == "" }
