package transcript

import (
	"iter"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

const (
	gap          = 2  // between columns
	leastBeside  = 22 // cells of activity that a spark must leave: waiting for the model
	leastWords   = 6  // cells of an activity that is cut
	longestType  = 10 // cells
	shortestName = 10 // cells that a name has at least, where it needs them
	briefName    = 18 // cells of a name that gives room to the activity
	lead         = 4  // cells of the mark of the focus, the sign and their spaces
)

// Columns are the widths that the lines of some cards share: type, name, activity, spark, time,
// tokens and cost. They stand next to each other: what is not needed is left out.
type Columns struct{ kind, name, activity, spark, elapsed, tokens, cost int }

// Grown are columns that hold these cards too, and none narrower than it was, as far as the width
// allows: so that figures stay where they are while words come and go.
func (cols Columns) Grown(c draw.Canvas, cards iter.Seq[Card]) Columns {
	width, sparks := c.Content().Width, false
	for card := range cards {
		cols.kind = max(cols.kind, draw.Cells(sanitize.Line(card.Run.Type)))
		cols.name = max(cols.name, draw.Cells(wording.Name(card.Run))+draw.Cells(card.where()))
		cols.activity = max(cols.activity, card.need(c))
		cols.elapsed = max(cols.elapsed, draw.Cells(card.elapsed(c)))
		cols.tokens = max(cols.tokens, draw.Cells(card.used(c)))
		cols.cost = max(cols.cost, draw.Cells(card.price(c)))
		sparks = sparks || card.Spark(c) != ""
	}
	cols.name = min(cols.name, max(shortestName, width/3))
	cols.kind = min(cols.kind, longestType)
	if c.Width < 70 {
		cols.kind = 0
	}
	room := width - cols.Start()
	for _, figure := range []int{cols.elapsed, cols.tokens, cols.cost} {
		if figure > 0 {
			room -= gap + figure
		}
	}
	if more := min(leastBeside-room, cols.name-briefName); more > 0 {
		cols.name -= more
		room += more
	}
	if cols.spark = 0; sparks && room-gap-draw.SparkCells >= leastBeside {
		cols.spark = draw.SparkCells
		room -= gap + cols.spark
	}
	cols.activity = max(0, min(cols.activity, room))
	return cols
}

// Start is where the activity begins.
func (cols Columns) Start() int {
	if cols.kind == 0 {
		return lead + cols.name + gap
	}
	return lead + cols.kind + 1 + cols.name + gap
}

// Line draws the card on one line: sign, type, name, activity with its marks, spark, figures.
// Sign and words show the state without colour too.
func (r Card) Line(c draw.Canvas, cols Columns) draw.Styled {
	title := c.Theme.Text
	if r.Open {
		title = c.Theme.Strong
	}
	if r.Selected {
		title = c.Theme.Selected
	}
	line := Lead(c, r.Selected) + r.Sign(c)
	if cols.kind > 0 {
		line += draw.Pad(c.Theme.Dim.Draw(c.Cut(sanitize.Line(r.Run.Type), cols.kind)), cols.kind) + " "
	}
	line += draw.Pad(c.CutStyled(title.Draw(wording.Name(r.Run))+c.Theme.Dim.Draw(r.where()), cols.name), cols.name)
	end := draw.Cells(line) // where the last text is: no spaces behind it
	at := end + gap
	put := func(text draw.Styled, width int, right bool) {
		if width > 0 && text != "" {
			if right {
				text = draw.Pad("", width-draw.Cells(text)) + text
			}
			line += draw.Pad("", at-end) + text
			end = at + draw.Cells(text)
		}
		if width > 0 {
			at += width + gap
		}
	}
	put(r.doing(c, cols.activity), cols.activity, false)
	put(r.Spark(c), cols.spark, false)
	put(c.Theme.Dim.Draw(r.elapsed(c)), cols.elapsed, true)
	put(c.Theme.Dim.Draw(r.used(c)), cols.tokens, true)
	put(c.Theme.Dim.Draw(r.price(c)), cols.cost, true)
	return draw.Fit(line, c.Width)
}

// Lead draws the two cells before a line, with the mark of the focus.
func Lead(c draw.Canvas, selected bool) draw.Styled {
	if selected {
		return c.Theme.Accent.Draw(c.Glyphs.Prompt) + " "
	}
	return "  "
}

// Spark draws what a run at work did in the last minute.
func (r Card) Spark(c draw.Canvas) draw.Styled {
	if c.Glyphs.Sparks() == 0 || r.Run.State.Terminal() {
		return ""
	}
	return c.Spark(r.Pulse.Levels(c.Now, c.Glyphs.Sparks()))
}

// need is how many cells the activity and the marks of a card would take.
func (r Card) need(c draw.Canvas) int {
	need := draw.Cells(r.words(c, c.Width))
	if marks := draw.Cells(c.Join(r.Marks(c)...)); marks > 0 {
		need += gap + marks
	}
	return need
}

// doing draws what the run does or how it ended, with the marks, in a width.
func (r Card) doing(c draw.Canvas, width int) draw.Styled {
	marks, room := r.few(c, width-gap), width
	if marks != "" {
		room -= draw.Cells(marks) + gap
	}
	activity := r.words(c, room)
	if room < min(leastWords, draw.Cells(activity)) {
		return marks
	}
	look := c.Theme.Dim
	switch {
	case r.Asks():
		look = c.Theme.Warn
	case r.Run.State.Terminal() && r.Run.State != lifecycle.StateCompleted:
		look = c.Theme.State(r.Run.State)
	}
	text := look.Draw(c.CutWords(activity, room))
	if marks != "" && text != "" {
		text += "  "
	}
	return text + marks
}

// few draws the marks that fit beside the card's other words, and always the most important one.
func (r Card) few(c draw.Canvas, width int) draw.Styled {
	marks := r.Marks(c)
	for n := len(marks); n > 1; n-- {
		if all := c.Join(marks[:n]...); draw.Cells(all)+gap+draw.Cells(r.words(c, c.Width)) <= width+gap {
			return all
		}
	}
	if len(marks) == 0 || width < 4 || marks[0] == unopened(c) && draw.Cells(marks[0])+draw.Cells(r.essence(c)) > width {
		return ""
	}
	return c.CutStyled(marks[0], width)
}

// essence are the words for the sake of which a card is not called unopened: what went wrong in
// full, else the state.
func (r Card) essence(c draw.Canvas) sanitize.Text {
	if r.Run.State == lifecycle.StateCompleted {
		return wording.Brief(r.Run.State)
	}
	return r.words(c, c.Width)
}

// Figures draws the time, tokens and cost of a card, next to each other.
func (r Card) Figures(c draw.Canvas) draw.Styled {
	text := r.elapsed(c)
	for _, more := range []sanitize.Text{r.used(c), r.price(c)} {
		if more != "" {
			text = draw.Sprintf("%s %s %s", text, draw.Dot, more)
		}
	}
	return c.Theme.Dim.Draw(text)
}

func (r Card) elapsed(c draw.Canvas) sanitize.Text {
	return sanitize.Line(words.Duration(r.Run.Elapsed(c.Now)))
}

// used is how many tokens the run has used, where there is room for it.
func (r Card) used(c draw.Canvas) sanitize.Text {
	if c.Width < 60 || r.tokens() == 0 {
		return ""
	}
	return draw.Sprintf("%s%s tok", Approximately(r.Run.Usage), draw.Tokens(r.tokens()))
}

func (r Card) price(c draw.Canvas) sanitize.Text {
	if c.Width < 80 {
		return ""
	}
	return draw.Dollars(r.Run.Usage.Cost)
}
