package ui

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// renderDenials draws what was denied, each with its whole subject: it is read before
// it is granted. What does not fit is scrolled to.
func (m *model) renderDenials(c draw.Canvas, height int) []draw.Styled {
	d, open := m.denials, m.refusedOnes()
	title := c.Theme.Strong.Draw(c.Cut(draw.Sprintf("Denied to %q", wording.Name(m.runs.Latest(d.session))), c.Width))
	var body []draw.Styled
	first, last := 0, 0 // the lines of the marked one
	for i, r := range open {
		if i == d.at {
			first = len(body)
		}
		body = append(body, m.renderDenial(c, r, i == d.at)...)
		if i == d.at {
			last = len(body)
		}
	}
	if len(open) == 0 {
		body = []draw.Styled{"  " + c.Theme.Dim.Draw("nothing is denied now")}
	}
	deeds := len(m.chosenDeeds())
	foot := append(m.renderNotices(c), draw.Indent(denialChoices(c.Narrow(2), deeds, m.marksRule(open), height >= longChoices))...)
	room := max(1, height-2-len(foot))
	d.see(first, last, len(body), room)
	counted := draw.Sprintf(" %d of %d chosen ", deeds, len(open))
	if rest := len(body) - room - d.top; rest > 0 {
		counted += draw.Sprintf("%s %s ", draw.Dot, words.Count(rest, "more line"))
	}
	lines := []draw.Styled{c.Ruled(counted), title}
	lines = append(lines, body[d.top:min(len(body), d.top+room)]...)
	return append(lines, foot...)
}

// see scrolls so that the marked lines are seen after a step, as many as there is
// room for, and no further than the end in any case.
func (d *denials) see(first, last, all, room int) {
	if d.moved {
		d.top = min(max(d.top, last-room), first)
		d.moved = false
	}
	d.top = max(0, min(d.top, all-room))
	d.room = room
}

func (m *model) marksRule(open []lifecycle.Refusal) bool {
	return len(open) > 0 && open[m.denials.at].Grantable() && len(open[m.denials.at].Rules) > 0
}

// denialChoices are the ways on with their keys.
func denialChoices(c draw.Canvas, chosen int, ruled, long bool) []draw.Styled {
	grant := draw.Sprintf("grant %d, and it tries again", chosen)
	if !long {
		grant = draw.Sprintf("grant %d", chosen)
	}
	keys := [][2]sanitize.Text{{"g", grant}, {"space", "choose"}}
	if ruled {
		keys = append(keys, [2]sanitize.Text{"p", "always"})
	}
	return c.KeyLine(append(keys, [2]sanitize.Text{"esc", "back"}))
}

// renderDenial draws one: whether it is chosen, the tool, who denied it and how often;
// below that the subject; and of the marked one what it would have changed.
func (m *model) renderDenial(c draw.Canvas, r lifecycle.Refusal, marked bool) []draw.Styled {
	lead, look, subject := draw.Styled("  "), c.Theme.Text, c.Theme.Code
	if marked {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	box := sanitize.Text("[ ] ")
	switch {
	case !r.Grantable():
		box, subject, look = draw.Sprintf(" %s  ", c.Glyphs.Denied), c.Theme.Dim, c.Theme.Dim
	case m.denials.chosen[r.Deed()]:
		box = "[x] "
	}
	inner := c.Narrow(6)
	head := lead + look.Draw(box+sanitize.Line(r.Tool))
	if r.Times > 1 {
		head += c.Theme.Dim.Draw(draw.Sprintf("  %d times", r.Times))
	}
	lines := []draw.Styled{c.CutStyled(head, c.Width)}
	text := inner.Paragraph(subject, sanitize.Clean(r.Subject))
	if why := m.whyDenied(r); why != "" {
		text = append(text, inner.Paragraph(c.Theme.Dim, why)...)
	}
	if marked {
		text = append(text, m.effectOf(inner, r)...)
	}
	for _, line := range text {
		lines = append(lines, "      "+line)
	}
	return lines
}

// whyDenied says who denied it, and what could be changed where no key helps.
func (m *model) whyDenied(r lifecycle.Refusal) sanitize.Text {
	switch r.By {
	case "nobody":
		return "nobody was asked"
	case "person":
		if r.Reason != "" {
			return draw.Sprintf("you said no: %s", sanitize.Line(r.Reason))
		}
		return "you said no"
	case "hook":
		return draw.Sprintf("a hook said no: %s; hooks stand in the settings", sanitize.Line(r.Reason))
	}
	for _, rule := range m.denials.rules {
		if _, text, ok := strings.Cut(rule.Text, "deny "); ok && strings.Contains(r.Reason, " "+text+" ") {
			return draw.Sprintf("%s: change that in %s", sanitize.Line(r.Reason), sanitize.Line(rule.Source))
		}
	}
	return sanitize.Line(r.Reason)
}

// effectOf draws what the call would have changed, where the question is still known.
func (m *model) effectOf(c draw.Canvas, r lifecycle.Refusal) []draw.Styled {
	if r.Question == "" {
		return nil
	}
	for _, rec := range m.talk(m.denials.session).Records {
		if asked, is := rec.Event.(lifecycle.PermissionAsked); is && asked.ID == r.Question {
			return questionView(c, asked.Question)
		}
	}
	return nil
}
