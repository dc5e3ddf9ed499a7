package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// dialog is a choice that has to be made before anything else.
type dialog struct {
	title   sanitize.Text
	body    []sanitize.Text
	choices []choice
	at      int

	whole bool // no line of the body is cut, and all of them can be scrolled to
	top   int  // of a whole body, the first line that is shown
	room  int  // and how many are, as it was last drawn
	read  bool // its end has been on the screen
	// informed is the choice for who has seen all of a whole body: until then it shows
	// what comes next. Empty: there is none such.
	informed sanitize.Text
	// stays says that typed text does not close it: it goes to the line below, and the
	// letters that follow soon do too.
	stays bool
	since time.Time // when it came, where it stays
	note  sanitize.Text
}

// safe is the place of the choice that changes nothing.
func (d *dialog) safe() int {
	return max(0, slices.IndexFunc(d.choices, func(c choice) bool { return c.do == nil }))
}

// denies reports whether a no is one of its choices: then n is too.
func (d *dialog) denies() bool {
	return slices.ContainsFunc(d.choices, func(c choice) bool { return c.key == "y" })
}

// choice is one way out of a dialog; nil does nothing but close it.
type choice struct {
	key, label sanitize.Text
	do         func(*model) tea.Cmd
}

// list names runs in the dialog.
func (d *dialog) list(m *model, runs []lifecycle.Run) {
	for _, run := range runs {
		d.body = append(d.body, draw.Sprintf("%s %s, %s", m.glyphs.State(run.State, 0), name(run), stateWords(run.State)))
	}
}

func (m *model) closeDialog() tea.Cmd {
	m.dialog = nil
	m.changed()
	return nil
}

func (m *model) pick(by int) tea.Cmd {
	n := len(m.dialog.choices)
	m.dialog.at = (m.dialog.at + by + n) % n
	m.changed()
	return nil
}

// offered reports whether a dialog has a choice with this key: any other letter is text.
func offered(key sanitize.Text) func(*model) bool {
	return func(m *model) bool {
		return m.dialog != nil && slices.ContainsFunc(m.dialog.choices, func(c choice) bool { return c.key == key })
	}
}

// choose takes the choice with this key, or the one that is marked. An Enter that ends
// a sentence is none.
func (m *model) choose(key string) tea.Cmd {
	d := m.dialog
	if key == "" && d.stays && !m.line().Empty() && !m.quiet(m.clock.Read()) {
		return nil
	}
	for i, c := range d.choices {
		if key == "" && i != d.at || key != "" && string(c.key) != key {
			continue
		}
		if c.key == d.informed && !d.read {
			d.top += d.room
			m.changed()
			return nil
		}
		m.closeDialog()
		if c.do != nil {
			return c.do(m)
		}
		return nil
	}
	return nil
}

func (d *dialog) render(c draw.Canvas, height int) []draw.Styled {
	var lines []draw.Styled
	if d.whole {
		lines = d.renderWhole(c, height)
	} else {
		lines = append([]draw.Styled{c.Ruled("")}, c.Paragraph(c.Theme.Strong, d.title)...)
		room := max(0, min(12, height-len(d.choices)-len(lines)-2))
		for i, line := range d.body {
			if i >= room-1 && i < len(d.body)-1 {
				lines = append(lines, "  "+c.Theme.Dim.Draw(draw.Sprintf("and %d more", len(d.body)-i)))
				break
			}
			lines = append(lines, "  "+c.Theme.Dim.Draw(c.Cut(line, c.Width-2)))
		}
	}
	if height > len(lines)+len(d.choices) {
		lines = append(lines, "")
	}
	for i, choice := range d.choices {
		lead, look := draw.Styled("  "), c.Theme.Text
		if i == d.at {
			lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
		}
		lines = append(lines, lead+look.Draw(choice.label)+c.Theme.Faint.Draw("  "+choice.key))
	}
	return lines
}

// renderWhole draws a title and a body of which nothing is left out: what does not
// fit is scrolled to, and the rule above says how much there is.
func (d *dialog) renderWhole(c draw.Canvas, height int) []draw.Styled {
	title := draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Warning)+" ", c.Narrow(2).Paragraph(c.Theme.Strong, d.title))
	var body []draw.Styled
	for _, line := range d.body {
		body = append(body, c.Narrow(2).HangIndent(line)...)
	}
	room := max(1, height-len(title)-len(d.choices)-3)
	d.top, d.room = max(0, min(d.top, len(body)-room)), room
	counted := d.note
	rest := len(body) - room - d.top
	if d.read = d.read || rest <= 0; rest > 0 {
		more := draw.Sprintf(" %s, pgdn ", words.Count(rest, "more line"))
		if counted += more; draw.Cells(counted)+4 > c.Width {
			counted = more
		}
	}
	lines := append([]draw.Styled{c.Ruled(counted)}, title...)
	return append(lines, draw.Indent(body[d.top:min(len(body), d.top+room)])...)
}
