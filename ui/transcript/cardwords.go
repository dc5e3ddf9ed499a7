package transcript

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Activity is the one line on what the run does, or how it ended.
func (r Card) Activity(c draw.Canvas) sanitize.Text {
	run := r.Run
	switch {
	case run.State == lifecycle.StateQueued && r.Position > 0:
		return draw.Sprintf("waiting for a slot, %s in line", wording.Ordinal(r.Position))
	case run.State == lifecycle.StateCompleted && !run.Shell():
		return sanitize.Line(unmarked(words.FirstLine(run.Output())))
	case run.State == lifecycle.StateCanceledByUser && run.Error == nil:
		return wording.Standing(run)
	case run.State == lifecycle.StateInterrupted:
		return wording.State(run.State)
	case run.State == lifecycle.StateFailed && run.Error != nil && !run.Shell():
		return sanitize.Line(words.FirstLine(run.Error.Line()))
	}
	words := run.Activity(r.Progress, c.Now)
	if run.State == lifecycle.StateRunning && len(run.Asked)+len(run.Tools) == 0 && !run.Shell() {
		words = unmarked(words) // what the model writes; a tool's pattern keeps its stars
	}
	return sanitize.Line(words)
}

// unmarked takes the marks of Markdown out of a line that is shown as it is.
func unmarked(line string) string {
	line = strings.ReplaceAll(strings.ReplaceAll(line, "**", ""), "`", "")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

// words are what the card says of the run in a width: what it does, or how it ended;
// where that does not fit, its end in a word.
func (r Card) words(c draw.Canvas, room int) sanitize.Text {
	words := r.Activity(c)
	if r.Run.State == lifecycle.StateInterrupted && !r.Run.Shell() && !r.Over && draw.Cells(words+howToContinue) <= room {
		return words + howToContinue
	}
	switch {
	case draw.Cells(words) <= room:
	case r.Position > 0:
		return draw.Sprintf("%s in line", wording.Ordinal(r.Position))
	case r.Run.State.Terminal() && room < 16:
		return wording.Brief(r.Run.State)
	}
	return words
}

const howToContinue sanitize.Text = " · r continues it"
