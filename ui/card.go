package ui

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// cardRun is a subagent's run with what its card needs beside it.
type cardRun struct {
	run      lifecycle.Run
	progress lifecycle.Progress
	position int  // in the queue, 0 while it is in none
	unsaved  bool // its end could not be recorded
	patient  bool // the user chose to wait on: overdue is no news
	selected bool
	open     bool // its session is the one that is shown
	unread   bool // it has ended, and nobody has opened its session since
	over     bool // it is of a recording: no key does anything for it
	held     bool // the idle parent hears of its end once the user writes
	denied   int  // calls that were denied and not granted since
}

func anyLive(runs []cardRun) bool {
	return slices.ContainsFunc(runs, func(r cardRun) bool { return !r.run.State.Terminal() })
}

// stampOf changes whenever what is shown of some ended runs does.
func stampOf(runs []cardRun) int64 {
	var stamp int64
	for _, r := range runs {
		stamp += int64(r.run.Seq)<<3 + 8
		if r.unsaved {
			stamp++
		}
		if r.unread {
			stamp += 2
		}
		if r.held {
			stamp += 4
		}
	}
	return stamp
}

// tokens is what the run has used, the open step's estimate included.
func (r cardRun) tokens() int64 {
	total := r.run.Usage.Tokens()
	if !r.run.State.Terminal() {
		total += r.progress.OutputTokens
	}
	return total
}

// about is the mark of figures that are an estimate, in part.
func about(u lifecycle.Usage) sanitize.Text {
	if u.Estimated() {
		return "~"
	}
	return ""
}

// columns are the widths that cards under one another share.
type columns struct{ kind, name, figures int }

// columnsOf measures some cards for a width.
func columnsOf(c draw.Canvas, cards []cardRun) columns {
	var cols columns
	for _, card := range cards {
		cols.kind = max(cols.kind, draw.Cells(sanitize.Line(card.run.Type)))
		cols.name = max(cols.name, draw.Cells(wording.Name(card.run)))
		cols.figures = max(cols.figures, draw.Cells(card.figures(c)))
	}
	cols.name = min(cols.name, max(10, c.Width/3))
	cols.kind = min(cols.kind, 10)
	if c.Width < 70 {
		cols.kind = 0
	}
	return cols
}

// figures are the numbers at the end of a card: how long, how much, for how much.
func (r cardRun) figures(c draw.Canvas) draw.Styled {
	text := sanitize.Line(words.Duration(r.run.Elapsed(c.Now)))
	if c.Width >= 60 && r.tokens() > 0 {
		text = draw.Sprintf("%s %s %s%s tok", text, draw.Dot, about(r.run.Usage), draw.Tokens(r.tokens()))
	}
	if cost := draw.Dollars(r.run.Usage.Cost); c.Width >= 80 && cost != "" {
		text = draw.Sprintf("%s %s %s", text, draw.Dot, cost)
	}
	return c.Theme.Dim.Draw(text)
}

// look is the colour of the state. What completed without something that it asked for
// is no plain success.
func (r cardRun) look(c draw.Canvas) draw.Paint {
	if r.run.State == lifecycle.StateCompleted && r.denied > 0 {
		return c.Theme.Warn
	}
	return c.Theme.State(r.run.State)
}

// sign is the state as one cell, and a space.
func (r cardRun) sign(c draw.Canvas) draw.Styled {
	return r.look(c).Draw(c.Glyphs.State(r.run.State, c.Frame)) + " "
}

// standing is the state in words.
func (r cardRun) standing(c draw.Canvas) draw.Styled {
	if r.run.State == lifecycle.StateCompleted && r.denied > 0 {
		return c.Theme.Warn.Draw(wording.Standing(r.run))
	}
	return c.Theme.Dim.Draw(wording.Standing(r.run))
}

// line draws the card as one line: sign, type, name, what it does, marks,
// figures. The sign and the words say the state without colour too.
func (r cardRun) line(c draw.Canvas, cols columns) draw.Styled {
	title := c.Theme.Text
	if r.open {
		title = c.Theme.Strong
	}
	lead := draw.Styled("  ")
	if r.selected {
		title, lead = c.Theme.Selected, c.Theme.Accent.Draw(c.Glyphs.Prompt)+" "
	}
	left := lead + r.sign(c)
	if cols.kind > 0 {
		left += draw.Pad(c.Theme.Dim.Draw(c.Cut(sanitize.Line(r.run.Type), cols.kind)), cols.kind) + " "
	}
	left += draw.Pad(title.Draw(c.Cut(wording.Name(r.run), cols.name)), cols.name) + "  "
	right := draw.Pad("", cols.figures-draw.Cells(r.figures(c))) + r.figures(c)
	if marks := r.few(c, c.Width-draw.Cells(left)-draw.Cells(right)-4); marks != "" {
		right = marks + "  " + right
	}
	if room := c.Width - draw.Cells(left) - draw.Cells(right) - 2; room >= 6 {
		look := c.Theme.Dim
		if r.run.State.Terminal() && r.run.State != lifecycle.StateCompleted {
			look = c.Theme.State(r.run.State)
		}
		left += look.Draw(c.CutWords(r.words(c, room), room))
	}
	return c.Between(left, right)
}

// few are the marks that the card has room for beside all that it says of the run;
// the weightiest goes before that.
func (r cardRun) few(c draw.Canvas, width int) draw.Styled {
	marks := r.marks(c)
	for n := len(marks); n > 1; n-- {
		if all := c.Join(marks[:n]...); draw.Cells(all)+2+draw.Cells(r.words(c, c.Width)) <= width {
			return all
		}
	}
	if len(marks) == 0 || width < 4 || marks[0] == unopened(c) && draw.Cells(marks[0])+2+draw.Cells(wording.Brief(r.run.State)) > width {
		return ""
	}
	return c.CutStyled(marks[0], width)
}
