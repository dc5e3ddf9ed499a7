package main

import (
	"context"
	"strings"

	"a.pawl/guard"

	"pawl/tools"
)

// protection is one of the means by which nothing outlives Pawl and the terminal is
// left as it was: which is in force, why not a stronger one (empty: there is none),
// and what it does not cover. The screen and doctor say it.
type protection struct {
	Means      string
	Why        string
	NotCovered []string
	Broken     bool // Why is the reason that nothing works at all
}

// guardProtection is about the process around Pawl.
func guardProtection() protection {
	p := protection{Means: guard.Status()}
	if guard.Own() == guard.RoleUnguarded {
		p.Means, p.Why = "none", guard.Status()
	}
	return p
}

// launcherProtection is about what a tool call starts. It tries what is possible
// here, once a process.
func launcherProtection(ctx context.Context, wanted string) protection {
	report := tools.CheckContainment(ctx, tools.Containment(wanted))
	if report.Err != nil {
		return protection{Means: "none", Why: report.Err.Error(), Broken: true}
	}
	return protection{Means: string(report.Mode), Why: strings.Join(report.Why, "; "), NotCovered: report.Gaps}
}

// weakness is the line with which the screen says that protection is less than it
// could be; empty where it is not.
func weakness(guard, launcher protection) string {
	const more = " · pawl doctor says what that leaves out"
	switch {
	case launcher.Broken:
		return "tools cannot start programs here · pawl doctor says why"
	case launcher.Why != "":
		return "tools run without a process namespace" + more
	case guard.Why != "":
		return "Pawl runs without its guard" + more
	}
	return ""
}
