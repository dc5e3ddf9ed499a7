package transcript

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Card is a subagent's run with what its card shows besides.
type Card struct {
	Run      lifecycle.Run
	Progress lifecycle.Progress
	Position int  // place in the queue, or 0
	Unsaved  bool // its end could not be recorded
	Patient  bool // the user chose to go on waiting: do not show it as overdue
	Selected bool
	Open     bool // its session is on the screen
	Unread   bool // it has ended and nobody has opened its session since
	Over     bool // part of a recording: no key acts on it
	Held     bool // the idle parent is told of its end when the user writes
	Denied   int  // denied calls that were not granted since
}

func anyLive(runs []Card) bool {
	return slices.ContainsFunc(runs, func(r Card) bool { return !r.Run.State.Terminal() })
}

// stampOf changes whenever the display of some ended runs changes.
func stampOf(runs []Card) int64 {
	var stamp int64
	for _, r := range runs {
		stamp += int64(r.Run.Seq)<<3 + 8
		if r.Unsaved {
			stamp++
		}
		if r.Unread {
			stamp += 2
		}
		if r.Held {
			stamp += 4
		}
	}
	return stamp
}

// tokens is what the run has used, including an estimate for the current step.
func (r Card) tokens() int64 {
	total := r.Run.Usage.Tokens()
	if !r.Run.State.Terminal() {
		total += r.Progress.OutputTokens
	}
	return total
}

// Approximately is a ~ if figures are partly estimated.
func Approximately(u lifecycle.Usage) sanitize.Text {
	if u.Estimated() {
		return "~"
	}
	return ""
}

// columns are the widths shared by cards in a list.
type columns struct{ kind, name, figures int }

// ColumnsOf measures cards for a width.
func ColumnsOf(c draw.Canvas, cards []Card) columns {
	var cols columns
	for _, card := range cards {
		cols.kind = max(cols.kind, draw.Cells(sanitize.Line(card.Run.Type)))
		cols.name = max(cols.name, draw.Cells(wording.Name(card.Run)))
		cols.figures = max(cols.figures, draw.Cells(card.Figures(c)))
	}
	cols.name = min(cols.name, max(10, c.Width/3))
	cols.kind = min(cols.kind, 10)
	if c.Width < 70 {
		cols.kind = 0
	}
	return cols
}

// Figures draws the time, tokens and cost at the end of a card.
func (r Card) Figures(c draw.Canvas) draw.Styled {
	text := sanitize.Line(words.Duration(r.Run.Elapsed(c.Now)))
	if c.Width >= 60 && r.tokens() > 0 {
		text = draw.Sprintf("%s %s %s%s tok", text, draw.Dot, Approximately(r.Run.Usage), draw.Tokens(r.tokens()))
	}
	if cost := draw.Dollars(r.Run.Usage.Cost); c.Width >= 80 && cost != "" {
		text = draw.Sprintf("%s %s %s", text, draw.Dot, cost)
	}
	return c.Theme.Dim.Draw(text)
}

// look is the colour of the state; a warning if the run completed with denied calls.
func (r Card) look(c draw.Canvas) draw.Paint {
	if r.Run.State == lifecycle.StateCompleted && r.Denied > 0 {
		return c.Theme.Warn
	}
	return c.Theme.State(r.Run.State)
}

// Sign draws the state in one cell, and a space.
func (r Card) Sign(c draw.Canvas) draw.Styled {
	return r.look(c).Draw(c.Glyphs.State(r.Run.State, c.Frame)) + " "
}

// Standing draws the state in words.
func (r Card) Standing(c draw.Canvas) draw.Styled {
	if r.Run.State == lifecycle.StateCompleted && r.Denied > 0 {
		return c.Theme.Warn.Draw(wording.Standing(r.Run))
	}
	return c.Theme.Dim.Draw(wording.Standing(r.Run))
}

// Line draws the card on one line: sign, type, name, activity, marks, figures. Sign and words
// show the state without colour too.
func (r Card) Line(c draw.Canvas, cols columns) draw.Styled {
	title := c.Theme.Text
	if r.Open {
		title = c.Theme.Strong
	}
	lead := draw.Styled("  ")
	if r.Selected {
		title, lead = c.Theme.Selected, c.Theme.Accent.Draw(c.Glyphs.Prompt)+" "
	}
	left := lead + r.Sign(c)
	if cols.kind > 0 {
		left += draw.Pad(c.Theme.Dim.Draw(c.Cut(sanitize.Line(r.Run.Type), cols.kind)), cols.kind) + " "
	}
	left += draw.Pad(title.Draw(c.Cut(wording.Name(r.Run), cols.name)), cols.name) + "  "
	right := draw.Pad("", cols.figures-draw.Cells(r.Figures(c))) + r.Figures(c)
	if marks := r.few(c, c.Width-draw.Cells(left)-draw.Cells(right)-4); marks != "" {
		right = marks + "  " + right
	}
	if room := c.Width - draw.Cells(left) - draw.Cells(right) - 2; room >= 6 {
		look := c.Theme.Dim
		if r.Run.State.Terminal() && r.Run.State != lifecycle.StateCompleted {
			look = c.Theme.State(r.Run.State)
		}
		left += look.Draw(c.CutWords(r.words(c, room), room))
	}
	return c.Between(left, right)
}

// few draws the marks that fit beside the card's other words, and always the most important one.
func (r Card) few(c draw.Canvas, width int) draw.Styled {
	marks := r.Marks(c)
	for n := len(marks); n > 1; n-- {
		if all := c.Join(marks[:n]...); draw.Cells(all)+2+draw.Cells(r.words(c, c.Width)) <= width {
			return all
		}
	}
	if len(marks) == 0 || width < 4 || marks[0] == unopened(c) && draw.Cells(marks[0])+2+draw.Cells(wording.Brief(r.Run.State)) > width {
		return ""
	}
	return c.CutStyled(marks[0], width)
}
