package ui

import (
	"strings"

	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
	xansi "github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
)

// markdown renders what models write. It is one renderer a width and look, made
// when it is first needed; a piece is rendered once and then kept by its block.
type markdown struct {
	theme  theme
	ascii  bool
	byRoom map[int]*glamour.TermRenderer
}

func newMarkdown(t theme, ascii bool) *markdown {
	return &markdown{theme: t, ascii: ascii, byRoom: map[int]*glamour.TermRenderer{}}
}

// Private characters, which cleaned text never holds, stand for & and < on
// the way through the renderer. So no entity becomes a character that was not
// written, and what looks like HTML is shown instead of dropped.
const (
	ampersand = "\ue000"
	less      = "\ue001"
	quoteCell = "\ue002" // one of the two cells before a quoted line
)

func hide(line sanitize.Text) string {
	return strings.ReplaceAll(strings.ReplaceAll(string(line), "&", ampersand), "<", less)
}

// hideEntities is hide for the inside of a fence, where nothing but an entity
// that we took for code could do harm.
func hideEntities(line sanitize.Text) string {
	return strings.ReplaceAll(string(line), "&#", ampersand+"#")
}

func unhide(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, ampersand, "&"), less, "<")
}

// fenceOf is the mark that opens or closes a block of code: three or more
// backticks or tildes, empty for any other line.
func fenceOf(line string) string {
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) > 3 || body == "" || body[0] != '`' && body[0] != '~' {
		return ""
	}
	n := len(body) - len(strings.TrimLeft(body, body[:1]))
	if n < 3 {
		return ""
	}
	return body[:n]
}

// closes reports whether a line ends a block of code that this mark opened: the
// same mark or a longer one, and nothing behind it.
func closes(line, open string) bool {
	mark := fenceOf(line)
	return strings.HasPrefix(mark, open) && strings.TrimSpace(line) == mark
}

// render gives the lines of one piece of Markdown, none wider than width. Code that
// stands by itself is drawn on its own, and broken where the screen ends: the
// renderer would break it between words, as if it were prose.
func (m *markdown) render(t sanitize.Text, width int) []styled {
	var drawn []styled
	for _, part := range parted(t) {
		room := width
		switch part.kind {
		case prose:
		case code:
			room = wideEnough(part.text, width)
		case tabled:
			room = min(width, naturalWidth(part.text))
		}
		lines := m.piece(sanitize.Text(part.text), room)
		if len(drawn) > 0 && len(lines) > 0 {
			drawn = append(drawn, "")
		}
		c := canvas{theme: m.theme, glyphs: newGlyphs(m.ascii), width: width}
		for _, line := range lines {
			drawn = append(drawn, c.continued(line)...)
		}
	}
	return drawn
}

// piece renders Markdown, without blank lines around it.
func (m *markdown) piece(t sanitize.Text, width int) []styled {
	out, err := m.renderer(width).Render(shielded(t))
	if err != nil { // never seen; the text itself is always better than nothing
		return canvas{width: width}.paragraph(m.theme.text, t)
	}
	out = string(sanitize.Styled(quoted(unhide(out), m.bar())))
	var lines []styled
	for line := range strings.SplitSeq(out, "\n") {
		lines = append(lines, styled(trimRight(line)))
	}
	for len(lines) > 0 && blank(string(lines[0])) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(string(lines[len(lines)-1])) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// quoted puts the bar of a quote where the renderer left the stand-in for it, twice
// each, for it counts the cells of a margin and not those of what it is drawn with.
func quoted(text, bar string) string {
	parts := strings.Split(text, quoteCell)
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		switch {
		case i == len(parts)-1:
		case i%2 == 0:
			b.WriteString(bar)
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func (m *markdown) bar() string { return string(newGlyphs(m.ascii).bar) }

// shielded puts the stand-ins in; inside a fence only where an entity begins, so
// that code keeps its colours.
func shielded(t sanitize.Text) string {
	var b strings.Builder
	open := ""
	for _, line := range t.Lines() {
		mark := fenceOf(string(line))
		switch {
		case open == "" && mark != "":
			open = mark
			b.WriteString(hideEntities(line))
		case open != "":
			if closes(string(line), open) {
				open = ""
			}
			b.WriteString(hideEntities(line))
		default:
			b.WriteString(hide(line))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// stable is how much of an open answer will not change its look any more: up to
// the last blank line outside of a fence that nothing indented, and no list,
// goes on after. It is a byte offset at or after from, which is itself stable.
func stable(text string, from int) int {
	open, end, sure := "", from, from
	blankBefore := false
	for i := from; i < len(text); {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break // an unfinished line
		}
		line := text[i : i+n]
		switch {
		case open == "" && strings.TrimSpace(line) == "":
			blankBefore, end = true, i+n+1
		case open != "" && closes(line, open):
			open = ""
		case open == "":
			if blankBefore && !continues(line) {
				sure = end
			}
			blankBefore = false
			open = fenceOf(line)
		}
		i += n + 1
	}
	return sure
}

// continues reports whether a line after a blank one may belong to the list
// before it: it is indented, or an item itself.
func continues(line string) bool {
	if line[0] == ' ' || line[0] == '\t' {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	if len(digits) < len(line) {
		return strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

func (m *markdown) renderer(width int) *glamour.TermRenderer {
	if r, ok := m.byRoom[width]; ok {
		return r
	}
	if len(m.byRoom) > 8 { // the window was dragged
		clear(m.byRoom)
	}
	registerHighlights()
	r, err := glamour.NewTermRenderer(glamour.WithStyles(m.style()), glamour.WithWordWrap(max(1, width)), glamour.WithTableWrap(true), glamour.WithChromaFormatter("terminal16m"))
	if err != nil {
		panic("ui: markdown style: " + err.Error())
	}
	m.byRoom[width] = r
	return r
}

// style is a quiet one: weights for structure, one colour for code.
func (m *markdown) style() ansi.StyleConfig {
	yes, two, none := true, uint(2), uint(0)
	bullet, dash, quote := m.bullet(), "─", quoteCell
	ticked, unticked := "☑ ", "☐ "
	if m.ascii {
		dash, ticked, unticked = "-", "[x] ", "[ ] "
	}
	heading := ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Bold: &yes, BlockSuffix: "\n"}}
	style := ansi.StyleConfig{
		Document:      ansi.StyleBlock{Margin: &none},
		BlockQuote:    ansi.StyleBlock{Indent: ptr(uint(2)), IndentToken: &quote, StylePrimitive: ansi.StylePrimitive{Italic: &yes}},
		List:          ansi.StyleList{LevelIndent: 2},
		Heading:       heading,
		H1:            ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Bold: &yes, Underline: &yes}},
		Strikethrough: ansi.StylePrimitive{CrossedOut: &yes},
		Emph:          ansi.StylePrimitive{Italic: &yes},
		Strong:        ansi.StylePrimitive{Bold: &yes},
		HorizontalRule: ansi.StylePrimitive{
			Format: "\n" + strings.Repeat(dash, 3) + "\n", Color: colour(m.theme.inks.faint),
		},
		Item:        ansi.StylePrimitive{BlockPrefix: bullet},
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
		Task:        ansi.StyleTask{Ticked: ticked, Unticked: unticked},
		Link:        ansi.StylePrimitive{Underline: &yes, Color: colour(m.theme.inks.dim)},
		LinkText:    ansi.StylePrimitive{Color: colour(m.theme.inks.code)},
		Code:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: colour(m.theme.inks.code)}},
		CodeBlock:   ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{Margin: &two}, Theme: m.theme.inks.highlight},
		Table:       ansi.StyleTable{},
	}
	if m.theme.inks.code == "" {
		style.Code.Bold = &yes
	}
	return style
}

func (m *markdown) bullet() string {
	if m.ascii {
		return "* "
	}
	return "• "
}

// colour is an ink as the renderer takes it, nil for the terminal's own.
func colour(i ink) *string {
	if i == "" {
		return nil
	}
	return ptr(string(i))
}

func ptr[T any](v T) *T { return &v }

// blank reports whether a drawn line shows nothing.
func blank(line string) bool { return strings.TrimSpace(xansi.Strip(line)) == "" }

// trimRight takes the spaces off the end of a drawn line.
func trimRight(line string) string {
	seen := xansi.Strip(line)
	kept := strings.TrimRight(seen, " ")
	if len(kept) == len(seen) {
		return line
	}
	return xansi.Truncate(line, cells(kept), "")
}
