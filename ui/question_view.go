package ui

import (
	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// longChoices is how high a question has to be for its choices in full words.
const longChoices = 12

// renderQuestion draws the question in front: who asks, for what exactly, and
// what it would change. The subject is never cut; what does not fit is scrolled.
// foot stands in the place of the choices; nil: the choices.
func (m *model) renderQuestion(c draw.Canvas, height int, foot []draw.Styled) []draw.Styled {
	q, waiting, _ := m.front()
	inner := c.Narrow(2)
	heads := draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Warning)+" ", inner.Rewrap(wish(c, c.Theme.Strong, c.Theme.Text, q)))
	body := inner.Paragraph(c.Theme.Code, sanitize.Clean(q.Subject))
	if q.Delicate != "" {
		body = append(body, inner.Paragraph(c.Theme.Warn, sanitize.Line(q.Delicate))...)
	}
	if q.Because != "" {
		body = append(body, inner.Paragraph(c.Theme.Dim, sanitize.Line(q.Because))...)
	}
	body = append(body, questionView(inner, q)...)
	if q.Why != "" {
		body = append(body, inner.Paragraph(c.Theme.Warn, draw.Sprintf("because of a hook: %s", q.Why))...)
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
		body = append([]draw.Styled{}, body[m.asking.top:m.asking.top+room]...)
		if rest > 0 {
			counted += draw.Sprintf(" %s, pgdn ", words.Count(rest, "more line"))
		}
	}
	lines := append([]draw.Styled{c.Ruled(counted)}, heads...)
	lines = append(lines, draw.Indent(body)...)
	if height >= len(lines)+len(foot)+1 {
		lines = append(lines, "")
	}
	return append(lines, draw.Indent(foot)...)
}

// counted is what stands on the rule above a question.
func (m *model) counted(waiting int) sanitize.Text {
	var title sanitize.Text
	if waiting > 1 {
		title = draw.Sprintf(" %d of %d ", m.asking.nth+1, waiting)
	}
	switch {
	case !m.quiet(m.clock.Read()):
		return title + " pause to answer "
	case !m.line().Empty() && !m.asking.choosing:
		return title + " ← → choose an answer "
	}
	if n := len(m.runs.Owed(m.runs.Root())); n > 0 && !m.runs.Alive(m.runs.Root()) {
		title += draw.Sprintf(" %s until you answer ", words.CountOf(n, "result waits", "results wait"))
	}
	return title
}

// longestName is how much of a subagent's or a tool's name a question has, in cells:
// a model or a server chose it, and must not push away what it is about.
const longestName = 60

// wish says who asks to use what.
func wish(c draw.Canvas, strong, plain draw.Paint, q lifecycle.Question) draw.Styled {
	who := plain.Draw("Pawl")
	if q.Who != "" {
		who = strong.Draw(c.Cut(sanitize.Line(q.Who), longestName))
	}
	return who + plain.Draw(" wants to use ") + strong.Draw(c.Cut(sanitize.Line(q.Tool), longestName))
}

// renderOthers lists who else waits for an answer, as far as there is room.
func (m *model) renderOthers(c draw.Canvas, front lifecycle.Question, height int) []draw.Styled {
	const most = 3
	others := m.runs.Questions()
	if len(others) < 2 || height < longChoices {
		return nil
	}
	var lines []draw.Styled
	for i := range len(others) - 1 {
		q := others[(m.asking.nth+1+i)%len(others)]
		if i == most && len(others)-1 > most {
			lines = append(lines, c.Theme.Faint.Draw(draw.Sprintf("%s %d more", c.Glyphs.More, len(others)-1-i)))
			break
		}
		line := wish(c, c.Theme.Dim, c.Theme.Faint, q) + " " + c.Theme.Faint.Draw(sanitize.Line(q.Subject))
		lines = append(lines, c.CutStyled(c.Theme.Faint.Draw(draw.Dot+" ")+line, c.Width))
	}
	return append(lines, "")
}

// questionView draws what the call would do, below its subject.
func questionView(c draw.Canvas, q lifecycle.Question) []draw.Styled {
	view, err := agent.DecodeView(q.View)
	if err != nil {
		return []draw.Styled{c.Theme.Bad.Draw(sanitize.Line(err.Error()))}
	}
	c.Details = true
	switch v := view.(type) {
	case nil:
		return nil
	case agent.CommandView:
		var lines []draw.Styled
		if v.Command != q.Subject || v.Output != "" {
			lines = c.Paragraph(c.Theme.Text, sanitize.Clean(v.Command))
		}
		if v.Note != "" {
			lines = append(lines, c.Paragraph(c.Theme.Dim, sanitize.Line(v.Note))...)
		}
		return lines
	case agent.DiffView:
		return draw.RenderDiff(c, v.Diff)
	case agent.PlainView:
		return c.Paragraph(c.Theme.Dim, sanitize.Clean(v.Text))
	case agent.ListingView, agent.TodoView, agent.RunView:
		_, body := transcript.RenderView(c, view, lifecycle.ToolOK)
		return body
	}
	return nil
}
