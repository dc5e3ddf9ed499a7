package approval

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// DeniedView is what the list of what was denied is drawn with.
type DeniedView struct {
	Name     sanitize.Text // of the session that it was denied to
	Notices  []draw.Styled // what stands above the choices
	Question func(lifecycle.QuestionID) (q lifecycle.Question, known bool)
}

// Render draws what was denied, each with its whole subject: it is read before
// it is granted. What does not fit is scrolled to.
func (d *Denied) Render(c draw.Canvas, height int, open []lifecycle.Refusal, v DeniedView) []draw.Styled {
	d.bound(open)
	frame := c.Content()
	above, below := frame.FrameRows()
	c = frame.Inside()
	title := c.Theme.Strong.Draw(c.Cut(draw.Sprintf("Denied to %q", v.Name), c.Width))
	var body []draw.Styled
	first, last := 0, 0 // the lines of the marked one
	for i, r := range open {
		if i == d.at {
			first = len(body)
		}
		body = append(body, d.renderOne(c, r, i == d.at, v.Question)...)
		if i == d.at {
			last = len(body)
		}
	}
	if len(open) == 0 {
		body = []draw.Styled{"  " + c.Theme.Dim.Draw("nothing is denied now")}
	}
	deeds := len(d.Chosen(open))
	ruled := len(open) > 0 && open[d.at].Grantable() && len(open[d.at].Rules) > 0
	foot := append(v.Notices[:len(v.Notices):len(v.Notices)], draw.Indent(deniedKeys(c.Narrow(2), deeds, ruled, height >= longChoices))...)
	room := max(1, height-above-below-1-len(foot))
	d.Body.Fill(body, room)
	if d.moved {
		d.Body.Show(first, last)
		d.moved = false
	}
	counted := draw.Sprintf(" %d of %d chosen ", deeds, len(open))
	if rest := d.Body.Below(); rest > 0 {
		counted += draw.Sprintf("%s %s ", draw.Dot, words.Count(rest, "more line"))
	}
	lines := append([]draw.Styled{title}, d.Body.Seen()...)
	return frame.Framed(counted, append(lines, foot...))
}

// deniedKeys are the ways on with their keys.
func deniedKeys(c draw.Canvas, chosen int, ruled, long bool) []draw.Styled {
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

// renderOne draws one: whether it is chosen, the tool, who denied it and how often;
// below that the subject; and of the marked one what it would have changed.
func (d *Denied) renderOne(c draw.Canvas, r lifecycle.Refusal, marked bool, question func(lifecycle.QuestionID) (lifecycle.Question, bool)) []draw.Styled {
	lead, look, subject := draw.Styled("  "), c.Theme.Text, c.Theme.Code
	if marked {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	box := sanitize.Text("[ ] ")
	switch {
	case !r.Grantable():
		box, subject, look = draw.Sprintf(" %s  ", c.Glyphs.Denied), c.Theme.Dim, c.Theme.Dim
	case d.chosen[r.Deed()]:
		box = "[x] "
	}
	inner := c.Narrow(6)
	head := lead + look.Draw(box+sanitize.Line(r.Tool))
	if r.Times > 1 {
		head += c.Theme.Dim.Draw(draw.Sprintf("  %d times", r.Times))
	}
	lines := []draw.Styled{c.CutStyled(head, c.Width)}
	text := inner.Paragraph(subject, sanitize.Clean(r.Subject))
	if why := d.why(r); why != "" {
		text = append(text, inner.Paragraph(c.Theme.Dim, why)...)
	}
	if marked {
		if q, known := question(r.Question); known && r.Question != "" {
			text = append(text, Effect(inner, q)...)
		}
	}
	for _, line := range text {
		lines = append(lines, "      "+line)
	}
	return lines
}

// why says who denied it, and what could be changed where no key helps.
func (d *Denied) why(r lifecycle.Refusal) sanitize.Text {
	switch r.By {
	case lifecycle.DeciderNobody:
		return "nobody was asked"
	case lifecycle.DeciderPerson:
		if r.Reason != "" {
			return draw.Sprintf("you said no: %s", sanitize.Line(r.Reason))
		}
		return "you said no"
	case lifecycle.DeciderHook:
		return draw.Sprintf("a hook said no: %s; hooks stand in the settings", sanitize.Line(r.Reason))
	case lifecycle.DeciderRule, lifecycle.DeciderGrant:
	}
	for _, rule := range d.Rules {
		if _, text, ok := strings.Cut(rule.Text, "deny "); ok && strings.Contains(r.Reason, " "+text+" ") {
			return draw.Sprintf("%s: change that in %s", sanitize.Line(r.Reason), sanitize.Line(rule.Source))
		}
	}
	return sanitize.Line(r.Reason)
}
