package fleet

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/approval"
	"pawl/ui/draw"
)

// settled is how long no key may have come, and a question must have stood whole, before one answers it.
const settled = 2 * time.Second

// asking is the question of the selected session.
type asking struct {
	question lifecycle.QuestionID // that the last picture showed whole; empty for none
	since    time.Time            // since when it does
	answered lifecycle.QuestionID // whose answer is on its way: no further key is for it
}

// asks reports whether the selected session asks something.
func (m *model) asks() bool {
	s, _ := m.board.current()
	return s.Question != nil
}

func (m *model) asksNothing() bool { return !m.asks() }

// shows takes in which question a picture shows whole.
func (a *asking) shows(q lifecycle.QuestionID, now time.Time) {
	if a.question != q {
		a.question, a.since = q, now
	}
}

// quietAt is when the question that is shown may be answered.
func (m *model) quietAt() time.Time {
	since := m.keyedAt
	if m.asking.since.After(since) {
		since = m.asking.since
	}
	return since.Add(settled)
}

// answer answers the question of the selected session: only what its user has had the time to read,
// all of it.
func (m *model) answer(yes bool) tea.Cmd {
	m.disarm()
	now := m.now()
	if !m.pressed.IsZero() {
		now = m.pressed
	}
	s, _ := m.board.current()
	q := s.Question
	switch {
	case m.options.Answer == nil:
		m.say(draw.Quiet, "enter opens the session to answer it")
		return nil
	case m.asking.answered == q.ID:
		return nil
	case m.asking.question != q.ID:
		m.say(draw.Quiet, m.unseenWords())
		return nil
	case now.Before(m.quietAt()):
		m.say(draw.Quiet, "pause for 2 s, then y or n answers")
		m.keyedAt = now
		return nil
	}
	m.asking.answered = q.ID
	m.keyedAt = m.now() // it was not meant for the question that comes next
	said := draw.Sprintf("allowed once: %s", deed(q))
	if !yes {
		said = draw.Sprintf("refused: %s", deed(q))
	}
	asked := done{s: s, said: said, undo: func(m *model) { m.asking.answered = "" }}
	return m.ask(asked, func(ctx context.Context) error { return m.options.Answer(ctx, s.ID, q.ID, yes) })
}

// unseenWords say why a question cannot be answered here, and what to do.
func (m *model) unseenWords() sanitize.Text {
	if !m.layout().shown() {
		return "space shows the whole question, then y or n answers"
	}
	return "it does not fit here: enter opens the session to answer it"
}

// deed is what a question is about, on one line.
func deed(q *lifecycle.Question) sanitize.Text {
	return draw.Sprintf("%s %s", sanitize.Line(q.Tool), sanitize.Line(words.CutLine(q.Subject, 80)))
}

// renderQuestion draws the whole question of a session.
func (m *model) renderQuestion(c draw.Canvas, s *Session) []draw.Styled {
	q := s.Question
	inner := c.Narrow(2)
	lines := draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Warning)+" ", inner.Rewrap(approval.Wish(inner, *q)))
	return append(lines, draw.Indent(approval.Body(inner, *q))...)
}

// answerLine says how the question is answered, or why not now.
func (m *model) answerLine(c draw.Canvas, s *Session) draw.Styled {
	var hint sanitize.Text
	switch {
	case m.options.Answer == nil:
		return "  " + c.Theme.Faint.Draw("enter opens the session to answer it")
	case m.asking.answered == s.Question.ID:
		hint = "answering"
	case m.input != nil:
		hint = "esc leaves the line"
	case m.asking.question != s.Question.ID || m.now().Before(m.quietAt()):
		hint = "pause to answer"
	}
	if s.Questions > 1 {
		hint = join(hint, draw.Sprintf("%d more after it", s.Questions-1))
	}
	keys := c.KeyLine([][2]sanitize.Text{{"y", "allow once"}, {"n", "refuse"}})[0]
	if hint != "" {
		keys += "   " + c.Theme.Faint.Draw(hint)
	}
	return c.CutStyled("  "+keys, c.Width)
}

// join puts a dot between words.
func join(a, b sanitize.Text) sanitize.Text {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + draw.Dot + " " + b
}
