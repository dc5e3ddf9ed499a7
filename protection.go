package main

import "runtime"

// protection is one of the means by which nothing outlives Pawl and the terminal is
// left as it was: which is in force, why not a stronger one (empty: there is none),
// and what it does not cover. The screen and doctor say it.
type protection struct {
	Means      string
	Why        string
	NotCovered []string
}

// guardProtection is about the process around Pawl.
func guardProtection() protection {
	p := protection{
		Means: "none",
		Why:   "this build has no guard around Pawl",
		NotCovered: []string{
			"when Pawl is killed (SIGKILL), the terminal stays as the screen had it: type reset",
		},
	}
	if runtime.GOOS != "linux" {
		p.NotCovered = append(p.NotCovered, "when Pawl is killed, the programs that its tools started go on")
	}
	return p
}

// launcherProtection is about what a tool call starts.
func launcherProtection() protection {
	if runtime.GOOS != "linux" {
		return protection{
			Means:      "process groups",
			Why:        runtime.GOOS + " has no namespaces for processes",
			NotCovered: []string{"a program that leaves its process group (setsid) outlives its tool call"},
		}
	}
	return protection{
		Means: "process groups, a mark in the environment, death with Pawl",
		Why:   "this build makes no namespaces for processes",
		NotCovered: []string{
			"a program that leaves its session and clears its environment outlives its tool call",
			"when Pawl is killed (SIGKILL), only the first program of a tool call dies with it",
		},
	}
}

// weakness is the line with which the screen says that protection is less than it
// could be; empty where it is not.
func weakness(guard, launcher protection) string {
	const more = " · pawl doctor says what that leaves out"
	switch {
	case launcher.Why != "":
		return "tools run without a process namespace" + more
	case guard.Why != "":
		return "Pawl runs without its guard" + more
	}
	return ""
}
