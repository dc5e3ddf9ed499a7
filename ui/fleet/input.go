package fleet

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

// input is the line that takes what is typed: a message, a folder or the filter.
type input struct {
	*composer.Composer
	at      place
	session lifecycle.SessionID // of a message
}

// insert changes the line that takes what is typed. Where none is open, that is the one to the
// selected session.
func (m *model) insert(change func(*input)) {
	m.disarm()
	m.help = nil
	if m.input == nil {
		m.unsay()
		s, is := m.board.current()
		if !is {
			m.say(draw.Quiet, "no session is selected: + begins one")
			return
		}
		m.input = &input{m.lineTo(s.ID), atMessage, s.ID}
	}
	change(m.input)
	m.edited()
}

// paste puts pasted text into the line; one of a single line takes it as one.
func (i *input) paste(text string) {
	if i.at != atMessage {
		i.Insert(string(sanitize.Line(words.Line(text))))
		return
	}
	i.Paste(text)
}

// edited follows every change of the line.
func (m *model) edited() {
	if m.input.at == atFilter {
		m.board.seek(m.input.Text)
	}
	m.changed()
}

func (m *model) lineEmpty() bool { return m.input.Empty() }

// closeLine leaves the line. A message stays, for when one comes back to it.
func (m *model) closeLine() tea.Cmd {
	if in := m.input; in.at == atMessage && !in.Empty() {
		m.say(draw.Quiet, "kept: m goes on with it")
	}
	m.input = nil
	m.changed()
	return nil
}

// openFilter lets what is typed filter the sessions.
func (m *model) openFilter() tea.Cmd {
	m.disarm()
	m.input = &input{&composer.Composer{Goal: -1}, atFilter, ""}
	m.input.Set(m.board.filter)
	m.input.Move(len(m.input.Text))
	m.changed()
	return nil
}

func (m *model) clearFilter() tea.Cmd {
	m.board.seek("")
	return m.closeLine()
}

// write opens the line to the selected session.
func (m *model) write() tea.Cmd {
	m.disarm()
	s, is := m.board.current()
	switch {
	case !is:
		m.say(draw.Quiet, "no session is selected: + begins one")
	case !s.Hosted:
		m.say(draw.Quiet, m.notOpen(&s))
	default:
		m.input = &input{m.lineTo(s.ID), atMessage, s.ID}
		m.changed()
	}
	return nil
}

// notOpen says what to do to write to a session that no process drives.
func (m *model) notOpen(s *Session) sanitize.Text {
	return draw.Sprintf("%s is not open: enter opens it, then write there", quoted(s))
}

// quoted is the title of a session in a sentence.
func quoted(s *Session) sanitize.Text {
	return draw.Sprintf("“%s”", sanitize.Line(words.CutLine(s.Title, 40)))
}

// send sends the message. Where it is not taken, it is in its line again.
func (m *model) send() tea.Cmd {
	in := m.input
	text := strings.TrimSpace(in.Text)
	s, is := m.board.get(in.session)
	switch {
	case text == "":
		return nil
	case !is:
		m.say(draw.Failure, "this session is gone; the text stays in the line")
		return nil
	case !s.Hosted:
		m.say(draw.Quiet, draw.Sprintf("%s is not open: esc keeps this, enter then opens it", quoted(&s)))
		return nil
	}
	in.Remember(in.Text)
	in.Clear()
	m.input = nil
	m.say(draw.Quiet, draw.Sprintf("sending to %s", quoted(&s)))
	asked := done{s: s, text: text, said: draw.Sprintf("sent to %s", quoted(&s)), undo: func(m *model) { m.lineTo(s.ID).Restore(text) }}
	return m.ask(asked, func(ctx context.Context) error { return m.options.Send(ctx, s.ID, text) })
}

// vertical moves the cursor, or through what was sent before.
func (m *model) vertical(by int) tea.Cmd {
	if !m.input.Vertical(by, m.lineCanvas().Width-composer.Margin) {
		m.input.Recall(-by)
	}
	m.changed()
	return nil
}

// renderInput draws the rule above the line, the line itself, and says where its cursor is.
func (m *model) renderInput(c draw.Canvas, most int) (lines []draw.Styled, y, x int) {
	var title, hint, holder sanitize.Text
	switch m.input.at {
	case atMessage:
		s, _ := m.board.get(m.input.session)
		title, hint, holder = draw.Sprintf("to %s", quoted(&s)), " enter send  esc keep it ", "a message"
	case atFolder:
		title, hint, holder = "a new session in", " tab complete  enter begin  esc ", "a folder"
	case atFilter:
		title, hint, holder = "filter", " enter keep  esc clear ", "title, folder or id"
	default: // the others have no line
	}
	if draw.Cells(title)+draw.Cells(hint)+8 > c.Width { // what it is for comes before what the keys do
		title, hint = c.Cut(title, c.Width-8), ""
	}
	rule := c.RuledAfter(c.Theme.Strong.Draw(title), hint)
	lines, y, x = m.input.Render(m.lineCanvas(), holder, most)
	return append([]draw.Styled{rule}, lines...), y + 1, x
}

// lineCanvas is what the line is drawn on.
func (m *model) lineCanvas() draw.Canvas { return m.canvas().Content() }
