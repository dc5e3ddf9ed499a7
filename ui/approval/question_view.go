package approval

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

// View is what a question is drawn with.
type View struct {
	Waiting []lifecycle.Question  // all of them; the one in front is in its place
	Quiet   bool                  // no key came for a while: letters answer
	Typed   bool                  // text stands in the line below
	Results int                   // how many results are held back until there is an answer
	Sums    func(int) draw.Styled // of all that goes on, in at most so many cells, for its upper side
	Notices []draw.Styled         // what stands above the answers, drawn on Inner
	Foot    []draw.Styled         // in the place of the answers, drawn on Inner; nil: the answers
}

// Inner is the canvas of what stands in a question's frame, after its sign.
func Inner(c draw.Canvas) draw.Canvas { return c.Content().Inside().Narrow(2) }

// Render draws the question in front: who asks, for what exactly, and
// what it would change. The subject is never cut; what does not fit is scrolled.
func (f *Front) Render(c draw.Canvas, height int, v View) []draw.Styled {
	var q lifecycle.Question
	if f.Nth < len(v.Waiting) {
		q = v.Waiting[f.Nth]
	}
	frame := c.Content()
	above, below := frame.FrameRows()
	c = frame.Inside()
	inner := c.Narrow(2)
	heads := draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Warning)+" ", inner.Rewrap(Wish(c, q)))
	body := Body(inner, q)
	foot := v.Foot
	if foot == nil {
		foot = append(f.renderOthers(inner, v.Waiting, height), f.answerLine(inner, q, &v, height >= longChoices)...)
	}
	foot = append(v.Notices[:len(v.Notices):len(v.Notices)], foot...)
	counted := f.counted(&v)
	height -= above + below
	room := max(1, height-len(heads)-len(foot)-1)
	f.Body.Fill(body, room)
	if rest := f.Body.Below(); rest > 0 {
		counted += draw.Sprintf(" %s, pgdn ", words.Count(rest, "more line"))
	}
	lines := append(heads, draw.Indent(f.Body.Seen())...)
	if height >= len(lines)+len(foot)+1 {
		lines = append(lines, "")
	}
	sums := v.Sums(frame.Width - draw.Cells(counted) - 10)
	return frame.FramedAfter(sums, counted, append(lines, draw.Indent(foot)...))
}

// Body draws what a question is about, whole, and all that is known of it.
func Body(c draw.Canvas, q lifecycle.Question) []draw.Styled {
	lines := c.Paragraph(c.Theme.Code, sanitize.Clean(q.Subject))
	if q.AlwaysAsk != "" {
		lines = append(lines, c.Paragraph(c.Theme.Warn, sanitize.Line(q.AlwaysAsk))...)
	}
	if q.Because != "" {
		lines = append(lines, c.Paragraph(c.Theme.Dim, sanitize.Line(q.Because))...)
	}
	lines = append(lines, Effect(c, q)...)
	if q.Why != "" {
		lines = append(lines, c.Paragraph(c.Theme.Warn, draw.Sprintf("because of a hook: %s", q.Why))...)
	}
	return lines
}

// counted is what stands on the rule above a question.
func (f *Front) counted(v *View) sanitize.Text {
	var title sanitize.Text
	if n := len(v.Waiting); n > 1 {
		title = draw.Sprintf(" %d of %d ", f.Nth+1, n)
	}
	switch {
	case !v.Quiet:
		return title + " pause to answer "
	case v.Typed && !f.Choosing:
		return title + " ← → choose an answer "
	case v.Results > 0:
		title += draw.Sprintf(" %s until you answer ", words.CountOf(v.Results, "result waits", "results wait"))
	}
	return title
}

// longestName is how much of a subagent's or a tool's name a question has, in cells:
// a model or a server chose it, and must not push away what it is about.
const longestName = 60

// Wish draws who asks to use what.
func Wish(c draw.Canvas, q lifecycle.Question) draw.Styled {
	return wish(c, c.Theme.Strong, c.Theme.Text, q)
}

// wish says who asks to use what.
func wish(c draw.Canvas, strong, plain draw.Paint, q lifecycle.Question) draw.Styled {
	who := plain.Draw("Pawl")
	if q.Who != "" {
		who = strong.Draw(c.Cut(sanitize.Line(q.Who), longestName))
	}
	return who + plain.Draw(" wants to use ") + strong.Draw(c.Cut(sanitize.Line(q.Tool), longestName))
}

// renderOthers lists who else waits for an answer, as far as there is room.
func (f *Front) renderOthers(c draw.Canvas, others []lifecycle.Question, height int) []draw.Styled {
	const most = 3
	if len(others) < 2 || height < longChoices {
		return nil
	}
	var lines []draw.Styled
	for i := range len(others) - 1 {
		q := others[(f.Nth+1+i)%len(others)]
		if i == most && len(others)-1 > most {
			lines = append(lines, c.Theme.Faint.Draw(draw.Sprintf("%s %d more", c.Glyphs.More, len(others)-1-i)))
			break
		}
		line := wish(c, c.Theme.Dim, c.Theme.Faint, q) + " " + c.Theme.Faint.Draw(sanitize.Line(q.Subject))
		lines = append(lines, c.CutStyled(c.Theme.Faint.Draw(draw.Dot+" ")+line, c.Width))
	}
	return append(lines, "")
}

// Effect draws what the call of a question would do.
func Effect(c draw.Canvas, q lifecycle.Question) []draw.Styled {
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
