package dashboard

import (
	"strings"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// Detail is the selected run in full.
type Detail struct {
	Card transcript.Card
	Work Work
	// Tail draws the last lines of its conversation, at most so many.
	Tail func(c draw.Canvas, height int) []draw.Styled
	// Actions says what the keys do to it; nil: no key acts on it now.
	Actions func(c draw.Canvas) draw.Styled
	// Question draws what it asks, to be answered; nil: nothing, or it stands elsewhere.
	Question func(c draw.Canvas, height int) []draw.Styled
}

// leastTail is how many lines of what a run writes are seen before its plan and its files get
// more than a line each.
const leastTail = 3

// render draws the run in so many lines, its question behind what it does.
func (d *Detail) render(c draw.Canvas, s Source, r *row, height int) []draw.Styled {
	if d.Question == nil {
		return d.run(c, s, r, height)
	}
	question := d.Question(c, height*2/3)
	return append(d.run(c, s, r, height-len(question)), question...)
}

// run draws the run without its question.
func (d *Detail) run(c draw.Canvas, s Source, r *row, height int) []draw.Styled {
	if height <= 0 {
		return nil
	}
	lines := []draw.Styled{d.head(c, r)}
	if d.Actions != nil && height >= 4 {
		lines = append(lines, d.Actions(c))
	}
	inner := c.Narrow(2)
	room := height - len(lines)
	for _, part := range [][]draw.Styled{d.todo(inner, room/3), d.changes(inner, room/4), d.denials(inner, s)} {
		if len(part) > 0 && len(part) <= height-len(lines)-leastTail {
			lines = append(lines, draw.Indent(part)...)
		}
	}
	if left := height - len(lines); left > 1 && d.Tail != nil {
		if left > 6 {
			lines = append(lines, "")
			left--
		}
		lines = append(lines, d.Tail(c, left)...)
	}
	return lines[:min(len(lines), height)]
}

// head says which run it is, how it stands, and what it took.
func (d *Detail) head(c draw.Canvas, r *row) draw.Styled {
	run := d.Card.Run
	state := d.Card.Standing(c)
	switch r.need {
	case asks:
		state = c.Theme.Warn.Draw("asks you")
	case idle:
		state = c.Theme.Dim.Draw("idle")
	case look, works, queued, ended:
	}
	name := signOf(c, r, d.Card) + c.Theme.Strong.Draw(wording.Name(run))
	var kind, model, step, tokens, cost, on draw.Styled
	if run.Child() && run.Type != "" {
		kind = c.Theme.Dim.Draw(sanitize.Line(run.Type))
	}
	model = c.Theme.Dim.Draw(modelOf(r))
	if run.Step > 0 {
		step = c.Theme.Dim.Draw(draw.Sprintf("step %d", run.Step))
	}
	if n := tokensOf(r, d.Card); n != "" {
		tokens = c.Theme.Dim.Draw(n + " tok")
	}
	if cost = c.Theme.Dim.Draw(draw.Dollars(r.usage.Cost)); run.Branch != "" {
		on = c.Theme.Dim.Draw(draw.Sprintf("on %s", run.Branch))
	}
	took := c.Theme.Dim.Draw(sanitize.Line(words.Duration(r.elapsed(c.Now))))
	for _, parts := range [][]draw.Styled{
		{name, state, kind, model, step, took, tokens, cost, on},
		{name, state, kind, took, tokens, cost},
		{name, state, took, cost},
		{name, state},
	} {
		if line := c.Join(parts...); draw.Cells(line) <= c.Width {
			return line
		}
	}
	return c.CutStyled(c.Join(name, state), c.Width)
}

// todo is its plan: how far it is and, in at most so many lines, the items around the one that
// is under way.
func (d *Detail) todo(c draw.Canvas, most int) []draw.Styled {
	items := d.Work.Todo
	if len(items) == 0 {
		return nil
	}
	done, at := 0, -1
	for i, item := range items {
		switch {
		case item.State == "done":
			done++
		case at < 0:
			at = i
		}
	}
	lines := []draw.Styled{c.Theme.Dim.Draw(draw.Sprintf("plan %d of %d done", done, len(items)))}
	most = max(0, most-1)
	first := max(0, min(max(0, at)-1, len(items)-most))
	for _, item := range items[first:min(len(items), first+most)] {
		lines = append(lines, itemLine(c, item))
	}
	return lines
}

func itemLine(c draw.Canvas, item agent.TodoItem) draw.Styled {
	sign, look := c.Glyphs.Open, c.Theme.Dim
	switch item.State {
	case "active":
		sign, look = c.Glyphs.Active, c.Theme.Strong
	case "done":
		sign, look = c.Glyphs.Box, c.Theme.Faint
	}
	return look.Draw(sign+" ") + look.Draw(c.Cut(sanitize.Line(item.Text), c.Width-2))
}

// changes are the files that it has changed, the newest first, and what is left of its
// worktree, in at most so many lines.
func (d *Detail) changes(c draw.Canvas, most int) []draw.Styled {
	var lines []draw.Styled
	if files := d.Work.Files; len(files) > 0 {
		added, removed := 0, 0
		for _, f := range files {
			added, removed = added+f.Added, removed+f.Removed
		}
		lines = append(lines, c.Theme.Dim.Draw(sanitize.Line("changed "+words.Count(len(files), "file")))+counts(c, added, removed))
		for i := len(files) - 1; i >= 0 && len(lines) < max(1, most); i-- {
			lines = append(lines, fileLine(c, files[i]))
		}
	}
	if w := d.Card.Run.Worktree; w != nil {
		lines = append(lines, c.CutStyled(c.Theme.Dim.Draw(sanitize.Line("worktree: "+w.Summary())), c.Width))
	}
	return lines
}

func fileLine(c draw.Canvas, f File) draw.Styled {
	sign := counts(c, f.Added, f.Removed)
	if f.New {
		sign = c.Theme.Dim.Draw(" new") + sign
	}
	path := strings.TrimPrefix(f.Path, c.Folder+"/")
	return c.Tail(path, nil, c.Theme.Text, max(8, c.Width-draw.Cells(sign))) + sign
}

func counts(c draw.Canvas, added, removed int) draw.Styled {
	return " " + c.Theme.Good.Draw(draw.Sprintf("+%d", added)) + " " + c.Theme.Bad.Draw(draw.Sprintf("−%d", removed))
}

// denials are the calls that were refused to it and not granted since.
func (d *Detail) denials(c draw.Canvas, s Source) []draw.Styled {
	all := s.Runs.Refusals(d.Card.Run.Session)
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	line := draw.Sprintf("%d denied, the last: %s %s", lifecycle.Denied(all), last.Tool, words.Line(last.Subject))
	return []draw.Styled{c.CutStyled(c.Theme.Warn.Draw(line), c.Width)}
}
