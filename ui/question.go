package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// asking is the question in front: which one, since when, and how far its body
// is scrolled.
type asking struct {
	question lifecycle.QuestionID
	since    time.Time
	over     bool // it came over a line that was being written
	top      int
}

// A question that appears while somebody types takes no letter for an answer
// until they have paused: what goes on is their sentence.
const (
	stillTyping = time.Second
	settled     = time.Second
)

// front is the question that is to be answered next. It notes when it came.
func (m *model) front() (q lifecycle.Question, waiting int, any bool) {
	all := m.runs.questions()
	if len(all) == 0 {
		m.asking = asking{}
		return q, 0, false
	}
	if m.asking.question != all[0].ID {
		now := m.clock.read()
		m.asking = asking{question: all[0].ID, since: now, over: m.writing(now)}
	}
	return all[0], len(all), true
}

// writing reports whether somebody is in the middle of a line: they typed just now,
// or left one unfinished and have answered nothing since.
func (m *model) writing(now time.Time) bool {
	return now.Sub(m.typedAt) < stillTyping || !m.line().empty() && m.typedAt.After(m.answeredAt)
}

// tooSoon reports whether letters are still meant for the line that the question
// covered.
func (m *model) tooSoon(now time.Time) bool {
	m.front()
	paused := m.asking.since
	if m.typedAt.After(paused) {
		paused = m.typedAt
	}
	return m.asking.over && now.Sub(paused) < settled
}

func (m *model) answer(a lifecycle.Answer) tea.Cmd {
	q, _, any := m.front()
	if !any {
		return nil
	}
	a.By = "person"
	m.answeredAt = m.clock.read()
	return m.do(lifecycle.Resolve{Question: q.ID, Answer: a})
}

// denyAndStop says no and stops the run that asked.
func (m *model) denyAndStop() tea.Cmd {
	q, _, any := m.front()
	if !any {
		return nil
	}
	return m.do(
		lifecycle.Resolve{Question: q.ID, Answer: lifecycle.Answer{By: "person"}},
		lifecycle.Stop{Session: q.Session, Cause: lifecycle.CauseKey},
	)
}

// renderQuestion draws the question in front: who asks, for what exactly, and
// what it would change. The subject is never cut; what does not fit is scrolled.
func (m *model) renderQuestion(c canvas, height int) []styled {
	q, waiting, _ := m.front()
	who := styled(c.theme.text.draw("Pawl wants to use "))
	if q.Who != "" {
		who = c.theme.strong.draw(sanitize.Line(q.Who)) + c.theme.text.draw(" wants to use ")
	}
	head := who + c.theme.strong.draw(sanitize.Line(q.Tool))
	var counted sanitize.Text
	if waiting > 1 {
		counted = say(" 1 of %d ", waiting)
	}
	if n := m.runs.owed(); n > 0 && !m.runs.alive(m.runs.root) {
		counted += say(" %s until it is answered ", plural(n, "result waits", "results wait"))
	}
	if m.tooSoon(c.now) {
		counted = " you are typing · pause to answer "
	}
	inner := c.narrow(2)
	body := inner.paragraph(c.theme.code, sanitize.Clean(q.Subject))
	body = append(body, questionView(inner, q)...)
	keys := inner.keyLine([][2]sanitize.Text{
		{"y", "once"}, {"a", "for this run"}, {"s", "for its session"}, {"n", "no"}, {"ctrl+c", "no, and stop it"},
	})
	if len(keys) > 1 {
		keys = inner.keyLine([][2]sanitize.Text{{"y", "once"}, {"a", "run"}, {"s", "session"}, {"n", "no"}, {"ctrl+c", "stop"}})
	}
	heads := hang(c.theme.warn.draw(c.glyphs.warning)+" ", c.narrow(2).rewrap(head))
	room := max(1, height-1-len(heads)-len(keys)-1)
	if len(body) > room {
		m.asking.top = min(m.asking.top, len(body)-room)
		rest := len(body) - room - m.asking.top
		body = append([]styled{}, body[m.asking.top:m.asking.top+room]...)
		if rest > 0 {
			counted += say(" %s, pgdn ", plural(rest, "more line", "more lines"))
		}
	}
	lines := append([]styled{c.ruled(counted)}, heads...)
	lines = append(lines, indented(body)...)
	if height >= len(lines)+len(keys)+1 {
		lines = append(lines, "")
	}
	return append(lines, indented(keys)...)
}

// questionView draws what the call would do, below its subject.
func questionView(c canvas, q lifecycle.Question) []styled {
	view, err := agent.DecodeView(q.View)
	if err != nil {
		return []styled{c.theme.bad.draw(sanitize.Line(err.Error()))}
	}
	c.details = true
	switch v := view.(type) {
	case nil:
		return nil
	case agent.CommandView:
		var lines []styled
		if v.Command != q.Subject || v.Output != "" {
			lines = c.paragraph(c.theme.text, sanitize.Clean(v.Command))
		}
		if v.Note != "" {
			lines = append(lines, c.paragraph(c.theme.dim, sanitize.Line(v.Note))...)
		}
		return lines
	case agent.DiffView:
		return renderDiff(c, v.Diff)
	case agent.PlainView:
		return c.paragraph(c.theme.dim, sanitize.Clean(v.Text))
	case agent.ListingView, agent.TodoView, agent.RunView:
		_, body := renderView(c, view, lifecycle.ToolOK)
		return body
	}
	return nil
}

// keyLine draws keys with what they do, over as many lines as it takes.
func (c canvas) keyLine(keys [][2]sanitize.Text) []styled {
	var lines []styled
	var line styled
	for _, k := range keys {
		part := c.theme.accent.draw(k[0]) + " " + c.theme.dim.draw(k[1])
		if line != "" && cells(line)+3+cells(part) > c.width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += "   "
		}
		line += part
	}
	return append(lines, line)
}
