package front

import (
	"os"
	"strings"

	"pawl/internal/handover"
)

// target is what a front shows: the session that a host drives, or what a command line opens in a
// host of its own.
type target struct {
	session string   // of a live host; empty: none is known
	args    []string // the command line, without the program's name
	folder  string   // where it runs; empty: here
	hello   *handover.Hello
}

// commandLine opens the target in a host of its own.
func (t target) commandLine() []string {
	if t.args == nil && t.session != "" {
		return []string{"--session", t.session}
	}
	return t.args
}

// firstTarget is what the command line of this process asks for. An attach goes straight to a live
// host, if there is one: nothing is read or started for it.
func firstTarget(args []string, as role) target {
	t := target{args: args[1:]}
	if as == screen && len(t.args) > 0 && len(t.args) <= 2 && t.args[0] == "attach" && !strings.HasPrefix(t.args[len(t.args)-1], "-") {
		t.session = liveSession(t.args[1:])
	}
	return t
}

// here is the current folder; empty if it is gone.
func here() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}
