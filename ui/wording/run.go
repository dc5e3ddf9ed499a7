package wording

import (
	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Decider names who allowed or denied a call.
func Decider(by lifecycle.Decider) sanitize.Text {
	switch by {
	case lifecycle.DeciderPerson:
		return "you"
	case lifecycle.DeciderRule:
		return "a rule"
	case lifecycle.DeciderHook:
		return "a hook"
	case lifecycle.DeciderGrant:
		return "you, before"
	case lifecycle.DeciderNobody:
	}
	return sanitize.Line(string(by))
}

// Standing is how a run stands, as people say it, true to what ended it.
func Standing(run lifecycle.Run) sanitize.Text {
	if run.State == lifecycle.StateInterrupted && run.Cause != lifecycle.CauseWorkerLost {
		return State(run.State)
	}
	return sanitize.Line(run.Status().Words(lifecycle.ForCard))
}

// State are a state as people say it.
func State(state lifecycle.State) sanitize.Text {
	return sanitize.Line(state.Words(lifecycle.ForCard))
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
	return sanitize.Line(state.Words(lifecycle.ForBrief))
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

// Effort is the effort that a run's model is asked for, where one was chosen.
func Effort(run lifecycle.Run) sanitize.Text {
	if level := run.EffortShown(); level != "" {
		return draw.Sprintf("effort %s", sanitize.Line(level))
	}
	return ""
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
