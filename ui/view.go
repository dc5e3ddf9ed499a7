package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// picture is the last screen that was drawn. It stands until something changes.
type picture struct {
	ready  bool
	view   tea.View
	room   int // the rows that the conversation had
	hits   hits
	drawns int // how often one was drawn, for tests
}

// View gives the screen: the last picture if nothing has changed since.
func (m *model) View() (view tea.View) {
	if m.picture.ready {
		return m.picture.view
	}
	defer m.recoverView(&view)
	m.picture.drawns++
	m.picture.view = m.draw()
	m.picture.ready = true
	return m.picture.view
}

func (m *model) draw() tea.View {
	view := tea.NewView("")
	view.AltScreen = true
	if !m.term.HoldsEsc {
		view.MouseMode = tea.MouseModeCellMotion // for the wheel
	}
	m.signal(&view)
	if m.width <= 0 || m.height <= 0 {
		return view
	}
	c := m.canvas()
	l := m.arrange(c)
	room := max(0, m.height-len(l.bottom)-len(l.top))
	if room == 0 {
		l.top = nil
		room = max(0, m.height-len(l.bottom))
	}
	m.picture.room = room
	m.picture.hits = hits{top: len(l.top), layout: l, cards: m.picture.hits.cards}
	lines := append(l.top[:len(l.top):len(l.top)], m.renderStage(room)...)
	for len(lines) < m.height-len(l.bottom) {
		lines = append(lines, "")
	}
	above := len(lines)
	m.picture.hits.below = above
	lines = append(lines, l.bottom...)
	view.Content = m.content(lines)
	if l.y >= 0 {
		view.Cursor = m.caret(min(l.x, m.width-1), above+l.y)
	}
	return view
}

// renderStage draws the conversation, or the help in its place.
func (m *model) renderStage(room int) []draw.Styled {
	m.picture.room = room
	c, _ := m.stage()
	if m.help != nil {
		return m.renderHelp(c, room)
	}
	if m.timeline != nil {
		return m.timeline.Render(c, m.timelineSession(), room)
	}
	talk := m.talk(m.open)
	if len(talk.Blocks) == 0 {
		return m.welcome(c, room)
	}
	var lines []draw.Styled
	lines, m.picture.hits.rows = m.window(room)
	return lines
}

// content joins the lines, none wider than the screen.
func (m *model) content(lines []draw.Styled) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		line = draw.Fit(line, m.width)
		if m.term.ASCII {
			line = asciiOnly(line)
		}
		b.WriteString(string(line))
	}
	return b.String()
}

// asciiOnly is for terminals without UTF-8: signs of ours get a likeness, other
// characters a question mark a cell.
func asciiOnly(line draw.Styled) draw.Styled {
	var b strings.Builder
	var state byte
	for s := string(line); s != ""; {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		s, state = s[n:], next
		switch {
		case len(seq) == 1 || width == 0:
			b.WriteString(seq)
		case asciiFor(seq) != "":
			b.WriteString(asciiFor(seq))
		default:
			b.WriteString(strings.Repeat("?", width))
		}
	}
	return draw.Styled(b.String())
}

func asciiFor(sign string) string {
	switch sign {
	case "·", "•":
		return "-"
	case "…":
		return "."
	case "←":
		return "<"
	case "→":
		return ">"
	case "↑":
		return "^"
	case "↓":
		return "v"
	case "’", "‘":
		return "'"
	case "“", "”":
		return `"`
	case "–", "—", "─":
		return "-"
	case "×":
		return "x"
	case "│", "┃":
		return "|"
	case "━":
		return "="
	case "╭", "╮", "╰", "╯":
		return "+"
	}
	return ""
}

// welcome is what stands where nothing has been said yet.
func (m *model) welcome(c draw.Canvas, room int) []draw.Styled {
	if m.open != m.runs.Root() || m.options.Snapshot.Seq > 0 || m.recorded() {
		return nil
	}
	lines := []draw.Styled{
		"",
		"  " + c.Theme.Accent.Draw("pawl") + " " + c.Theme.Faint.Draw(sanitize.Line(m.options.Version)),
		"",
	}
	hints := [][2]sanitize.Text{
		{"enter", "send; the agent works in this folder"},
		{"↓", "go to the subagents, one line each"},
		{"@ /", "attach a file; list the commands"},
		{"?", "show all keys"},
	}
	if m.options.Demo {
		lines = append(lines, demoWords(c.Narrow(4), room)...)
		lines = append(lines, "")
	}
	for _, h := range hints {
		lines = append(lines, "  "+draw.Pad(c.Theme.Dim.Draw(h[0]), 7)+c.Theme.Faint.Draw(c.Cut(h[1], c.Width-9)))
	}
	if m.unprotected != "" {
		lines = append(lines, "", "  "+c.Theme.Faint.Draw(c.Cut(sanitize.Line(m.unprotected), c.Width-2)))
	}
	return fitRows(lines, room)
}

// fitRows makes lines fit a room: blank ones go first, then the last.
func fitRows(lines []draw.Styled, room int) []draw.Styled {
	if len(lines) > room {
		lines = slices.DeleteFunc(lines, func(line draw.Styled) bool { return line == "" })
	}
	return lines[:min(len(lines), room)]
}

func demoWords(c draw.Canvas, room int) []draw.Styled {
	words := sanitize.Text("DEMO: a script answers, with real subagents and real tools in this folder. To use a model, set a key such as ANTHROPIC_API_KEY and start pawl.")
	if room < 12 {
		words = "DEMO: a script answers. To use a model, set a key such as ANTHROPIC_API_KEY."
	}
	return draw.Indent(c.Paragraph(c.Theme.Warn, words))
}
