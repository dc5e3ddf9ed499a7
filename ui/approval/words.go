package approval

import (
	"slices"
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Calls names all calls of a tool.
func Calls(tool string) sanitize.Text {
	if tool == "shell" {
		return "shell commands"
	}
	return draw.Sprintf("%s calls", sanitize.Line(tool))
}

// Deeds name what is allowed.
func Deeds(deeds []lifecycle.Deed) sanitize.Text {
	var words []string
	for _, d := range deeds {
		words = append(words, strings.TrimSpace(d.Tool+" "+d.Subject))
	}
	return sanitize.Line(strings.Join(words, "; "))
}

// Granted says what a grant did, and when its session hears of it.
func Granted(r lifecycle.Reply) sanitize.Text {
	then := sanitize.Text("it tries again")
	switch {
	case r.Message != "":
		then = "it is told at its next step"
	case slices.ContainsFunc(r.Runs, func(run lifecycle.Run) bool { return run.State == lifecycle.StateQueued }):
		then = "it tries again when a slot is free"
	}
	return draw.Sprintf("granted until you quit; %s: %s", then, Deeds(r.Granted))
}

// Standing says what a grant in force covers; who is the name of the subagent that has
// it, empty for the main agent.
func Standing(g lifecycle.StandingGrant, who string) sanitize.Text {
	if g.All {
		return wording.Reach(g.Tool, who, g.Run != "")
	}
	words := Deeds([]lifecycle.Deed{{Tool: g.Tool, Subject: g.Subject}})
	if who != "" {
		words += draw.Sprintf(" of %q", who)
	}
	return words + " until you quit"
}
