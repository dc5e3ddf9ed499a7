package wording

import (
	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Decider names who allowed or denied a call.
func Decider(by string) sanitize.Text {
	switch by {
	case "person":
		return "you"
	case "rule":
		return "a rule"
	case "hook":
		return "a hook"
	}
	return sanitize.Line(by)
}

// Standing is how a run stands, as people say it, true to what ended it.
func Standing(run lifecycle.Run) sanitize.Text {
	if run.State == lifecycle.StateCanceledByUser {
		return EndedBy(run.Cause)
	}
	if run.Shell() {
		return shellStanding(run)
	}
	return State(run.State)
}

// State are a state as people say it.
func State(state lifecycle.State) sanitize.Text {
	switch state {
	case lifecycle.StateQueued:
		return "queued"
	case lifecycle.StateRunning:
		return "running"
	case lifecycle.StateCompleted:
		return "completed"
	case lifecycle.StateCompletedEmpty:
		return "ended without an answer"
	case lifecycle.StateFailed:
		return "failed"
	case lifecycle.StateCanceledByUser:
		return "stopped by you"
	case lifecycle.StateCanceledByAgent:
		return "stopped by the main agent"
	case lifecycle.StateInterrupted:
		return "interrupted"
	}
	return sanitize.Line(string(state))
}

// shellStanding is standing for a shell: its exit code where it had one of its own.
func shellStanding(run lifecycle.Run) sanitize.Text {
	switch {
	case run.State == lifecycle.StateFailed && run.Error != nil && run.Error.Kind == lifecycle.FailProcess:
		return sanitize.Line(run.Error.Message)
	case run.State == lifecycle.StateCompleted:
		return "exit code 0"
	case run.Cause == lifecycle.CauseRunEnd && run.State.Terminal():
		return "stopped when its subagent ended"
	case run.State == lifecycle.StateCanceledByAgent:
		return "stopped by its agent"
	}
	return State(run.State)
}

// EndedBy says which wish of a person ended a run.
func EndedBy(cause lifecycle.Cause) sanitize.Text {
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

// Ordinal is a place in a line: 1st, 2nd, 3rd.
func Ordinal(n int) sanitize.Text {
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

// Brief is a state in one word or two.
func Brief(state lifecycle.State) sanitize.Text {
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

// Reach say what a yes covers that is wider than its call.
func Reach(tool, who string, ofRun bool) sanitize.Text {
	words := draw.Sprintf("every %s call", sanitize.Line(tool))
	if tool == "shell" {
		words = "every shell command"
	}
	until := sanitize.Text(" until you quit")
	if ofRun {
		until = " until this turn ends"
	}
	if who != "" {
		words += draw.Sprintf(" of %q", who)
	}
	return words + until
}

// Name is how a run is called on the screen.
func Name(run lifecycle.Run) sanitize.Text {
	switch {
	case !run.Child():
		return "main agent"
	case run.Description != "":
		return shortName(sanitize.Line(run.Description))
	case run.Type != "":
		return sanitize.Line(run.Type)
	}
	return "subagent"
}

// NameCells is how many cells a name may have: it is meant to have five words. Details show
// all of it.
const NameCells = 60

func shortName(name sanitize.Text) sanitize.Text {
	if draw.Cells(name) <= NameCells {
		return name
	}
	return sanitize.Text(ansi.Truncate(string(name), NameCells, "…"))
}
