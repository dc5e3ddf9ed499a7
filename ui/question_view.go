package ui

import (
	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// longChoices is how high a question has to be for its choices in full words.
const longChoices = 12

// renderQuestion draws the question in front: who asks, for what exactly, and
// what it would change. The subject is never cut; what does not fit is scrolled.
// foot stands in the place of the choices; nil: the choices.
func (m *model) renderQuestion(c canvas, height int, foot []styled) []styled {
	q, waiting, _ := m.front()
	inner := c.narrow(2)
	heads := hang(c.theme.warn.draw(c.glyphs.warning)+" ", inner.rewrap(c.wish(c.theme.strong, c.theme.text, q)))
	body := inner.paragraph(c.theme.code, sanitize.Clean(q.Subject))
	if q.Delicate != "" {
		body = append(body, inner.paragraph(c.theme.warn, sanitize.Line(q.Delicate))...)
	}
	if q.Because != "" {
		body = append(body, inner.paragraph(c.theme.dim, sanitize.Line(q.Because))...)
	}
	body = append(body, questionView(inner, q)...)
	if q.Why != "" {
		body = append(body, inner.paragraph(c.theme.warn, say("because of a hook: %s", q.Why))...)
	}
	if foot == nil {
		foot = append(m.renderOthers(inner, q, height), m.answerLine(inner, q, waiting, height >= longChoices)...)
	}
	foot = append(m.renderNotices(inner), foot...)
	counted := m.counted(waiting)
	room := max(1, height-1-len(heads)-len(foot)-1)
	if m.asking.room = room; len(body) > room {
		m.asking.top = min(m.asking.top, len(body)-room)
		rest := len(body) - room - m.asking.top
		body = append([]styled{}, body[m.asking.top:m.asking.top+room]...)
		if rest > 0 {
			counted += say(" %s, pgdn ", words.Count(rest, "more line"))
		}
	}
	lines := append([]styled{c.ruled(counted)}, heads...)
	lines = append(lines, indented(body)...)
	if height >= len(lines)+len(foot)+1 {
		lines = append(lines, "")
	}
	return append(lines, indented(foot)...)
}

// counted is what stands on the rule above a question.
func (m *model) counted(waiting int) sanitize.Text {
	var title sanitize.Text
	if waiting > 1 {
		title = say(" %d of %d ", m.asking.nth+1, waiting)
	}
	switch {
	case !m.quiet(m.clock.read()):
		return title + " pause to answer "
	case !m.line().empty() && !m.asking.choosing:
		return title + " ← → choose an answer "
	}
	if n := m.runs.owed(); n > 0 && !m.runs.alive(m.runs.root) {
		title += say(" %s until you answer ", words.CountOf(n, "result waits", "results wait"))
	}
	return title
}

// longestName is how much of a subagent's or a tool's name a question has, in cells:
// a model or a server chose it, and must not push away what it is about.
const longestName = 60

// wish says who asks to use what.
func (c canvas) wish(strong, plain paint, q lifecycle.Question) styled {
	who := plain.draw("Pawl")
	if q.Who != "" {
		who = strong.draw(c.cut(sanitize.Line(q.Who), longestName))
	}
	return who + plain.draw(" wants to use ") + strong.draw(c.cut(sanitize.Line(q.Tool), longestName))
}

// renderOthers lists who else waits for an answer, as far as there is room.
func (m *model) renderOthers(c canvas, front lifecycle.Question, height int) []styled {
	const most = 3
	others := m.runs.questions()
	if len(others) < 2 || height < longChoices {
		return nil
	}
	var lines []styled
	for i := range len(others) - 1 {
		q := others[(m.asking.nth+1+i)%len(others)]
		if i == most && len(others)-1 > most {
			lines = append(lines, c.theme.faint.draw(say("%s %d more", c.glyphs.more, len(others)-1-i)))
			break
		}
		line := c.wish(c.theme.dim, c.theme.faint, q) + " " + c.theme.faint.draw(sanitize.Line(q.Subject))
		lines = append(lines, c.cutStyled(c.theme.faint.draw(dot+" ")+line, c.width))
	}
	return append(lines, "")
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
