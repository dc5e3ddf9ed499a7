package ui

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// activity is the one line on what the run does, or how it ended.
func (r cardRun) activity(c draw.Canvas) sanitize.Text {
	run := r.run
	switch {
	case run.State == lifecycle.StateQueued && r.position > 0:
		return draw.Sprintf("waiting for a slot, %s in line", ordinal(r.position))
	case run.State == lifecycle.StateCompleted && !run.Shell():
		return sanitize.Line(unmarked(words.FirstLine(run.Output())))
	case run.State == lifecycle.StateCanceledByUser && run.Error == nil:
		return endedBy(run.Cause)
	case run.State == lifecycle.StateInterrupted:
		return stateWords(run.State)
	case run.State == lifecycle.StateFailed && run.Error != nil && !run.Shell():
		return sanitize.Line(words.FirstLine(run.Error.Line()))
	}
	words := run.Activity(r.progress, c.Now)
	if run.State == lifecycle.StateRunning && len(run.Asked)+len(run.Tools) == 0 && !run.Shell() {
		words = unmarked(words) // what the model writes; a tool's pattern keeps its stars
	}
	return sanitize.Line(words)
}

// endedBy says which wish of a person ended a run.
func endedBy(cause lifecycle.Cause) sanitize.Text {
	switch cause {
	case lifecycle.CauseQuit:
		return "stopped when you quit"
	case lifecycle.CauseAgentsStop:
		return "stopped by --agents stop"
	case lifecycle.CauseDrainTimeout:
		return "stopped by --drain-timeout"
	case lifecycle.CauseSIGINT:
		return "stopped by SIGINT"
	case lifecycle.CauseKey, lifecycle.CauseCommand, lifecycle.CauseAgentStop, lifecycle.CauseRunEnd, lifecycle.CauseProcessEnd:
	}
	return "stopped by you"
}

// unmarked takes the marks of Markdown out of a line that is shown as it is.
func unmarked(line string) string {
	line = strings.ReplaceAll(strings.ReplaceAll(line, "**", ""), "`", "")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

func ordinal(n int) sanitize.Text {
	switch {
	case n%10 == 1 && n%100 != 11:
		return draw.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return draw.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return draw.Sprintf("%drd", n)
	}
	return draw.Sprintf("%dth", n)
}

// words are what the card says of the run in a width: what it does, or how it ended;
// where that does not fit, its end in a word.
func (r cardRun) words(c draw.Canvas, room int) sanitize.Text {
	words := r.activity(c)
	if r.run.State == lifecycle.StateInterrupted && !r.run.Shell() && !r.over && draw.Cells(words+howToContinue) <= room {
		return words + howToContinue
	}
	switch {
	case draw.Cells(words) <= room:
	case r.position > 0:
		return draw.Sprintf("%s in line", ordinal(r.position))
	case r.run.State.Terminal() && room < 16:
		return briefly(r.run.State)
	}
	return words
}

const howToContinue sanitize.Text = " · r continues it"

// briefly is a state in one word or two.
func briefly(state lifecycle.State) sanitize.Text {
	switch state {
	case lifecycle.StateQueued:
		return "queued"
	case lifecycle.StateRunning:
		return "running"
	case lifecycle.StateCompleted:
		return "done"
	case lifecycle.StateCompletedEmpty:
		return "empty"
	case lifecycle.StateFailed:
		return "failed"
	case lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return "stopped"
	case lifecycle.StateInterrupted:
		return "interrupted"
	}
	return sanitize.Line(string(state))
}
