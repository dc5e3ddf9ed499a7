package transcript

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Activity is one line on what the run does, or how it ended.
func (r Card) Activity(c draw.Canvas) sanitize.Text {
	run := r.Run
	switch {
	case run.State == lifecycle.StateQueued && r.Position > 0:
		return draw.Sprintf("waiting for a slot, %s in line", wording.Ordinal(r.Position))
	case r.Asks() && run.StopRequestedAt.IsZero():
		return draw.Sprintf("%s: %s", asksYou, sanitize.Line(run.Asked[0].Tool+" "+run.Asked[0].Subject))
	case run.State == lifecycle.StateCompleted && !run.Shell():
		return sanitize.Line(unmarked(words.FirstLine(run.Output())))
	case run.State == lifecycle.StateCanceledByUser && run.Error == nil:
		return wording.Standing(run)
	case run.State == lifecycle.StateInterrupted:
		return wording.Standing(run)
	case run.State == lifecycle.StateFailed && run.Error != nil && !run.Shell():
		return sanitize.Line(words.FirstLine(run.Error.Line()))
	}
	words := run.Activity(r.Progress, c.Now)
	if run.State == lifecycle.StateRunning && len(run.Asked)+len(run.Tools) == 0 && !run.Shell() {
		words = unmarked(words) // text by the model; a tool's pattern keeps its asterisks
	}
	return sanitize.Line(words)
}

// unmarked removes Markdown's signs from a line that is shown as it is.
func unmarked(line string) string {
	line = strings.ReplaceAll(strings.ReplaceAll(line, "**", ""), "`", "")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

// words is the card's text for a width: what the run does or how it ended, or a single word for
// its end if that does not fit.
func (r Card) words(c draw.Canvas, room int) sanitize.Text {
	words := r.Activity(c)
	if r.Run.State == lifecycle.StateInterrupted && !r.Run.Shell() && !r.Over && draw.Cells(words+howToContinue) <= room {
		return words + howToContinue
	}
	switch {
	case draw.Cells(words) <= room:
	case r.Asks() && room < 16:
		return asksYou
	case r.Position > 0:
		return draw.Sprintf("%s in line", wording.Ordinal(r.Position))
	case r.Run.State.Terminal() && room < 16:
		return wording.Brief(r.Run.State)
	}
	return cutBeforeSilence(c, words, room)
}

// cutBeforeSilence cuts words for a width so that they still say for how long a run is silent.
func cutBeforeSilence(c draw.Canvas, words sanitize.Text, room int) sanitize.Text {
	at := strings.LastIndex(string(words), " silent ")
	if at < 0 || draw.Cells(words) <= room || draw.Cells(words[at:]) > room-8 {
		return words
	}
	return c.CutWords(words[:at], room-draw.Cells(words[at:])) + words[at:]
}

const howToContinue sanitize.Text = " · r continues it"
