package guard

import (
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// variable names, in the environment of the guarded Pawl, the descriptor of its
// End of the line. It is taken out again before anything else runs.
const variable = "PAWL_GUARD"

// Plain are the commands that start no session, have no screen and need no guard.
// Any other command line is guarded. The first two are what a shell asks at Tab.
var Plain = []string{
	"__complete", "__completeNoDesc", "agents", "completion", "doctor", "export", "help", "man", "models", "rm",
	"sessions", "show", "verify", "version", "worker", "worktrees",
}

// Role is what this process is to the guard.
type Role int

// The roles. The guard's own process has none of them: it never gets that far.
const (
	RolePlain     Role = iota // a command, or a test, that needs no guard
	RoleGuarded               // Pawl, with a guard around it
	RoleUnguarded             // Pawl, where there could be no guard
)

var (
	role    Role
	problem string // why there could be no guard
	line    = -1
)

// Main makes this process the guard of another one like it, where the command line asks
// for what needs a guard; it returns in that other one, and where there is to be no guard
// or could be none. It is called before anything is opened or started.
func Main() {
	switch {
	case takeLine():
		role = RoleGuarded
	case startsSession(os.Args):
		role, problem = RoleUnguarded, become().Error()
	}
}

// Own says what this process is.
func Own() Role { return role }

// Line gives Pawl's end of the line, once: only the first caller gets it.
func Line() (fd int, ok bool) {
	fd, line = line, -1
	return fd, fd >= 0
}

// Problem says why there is no guard around this process, where there should be one.
func Problem() string { return problem }

// startsSession decides by the command line, without understanding it: where it is
// in doubt there is a guard.
func startsSession(args []string) bool {
	if len(args) == 0 {
		return false
	}
	for i, arg := range args[1:] {
		switch {
		case arg == "--":
			return true
		case arg == "-h", arg == "--help", arg == "-v", arg == "--version":
			return false
		case i == 0 && slices.Contains(Plain, arg):
			return false
		}
	}
	return true
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// leaving is set by the first goroutine that ends the guard.
var leaving atomic.Bool

// exit ends the guard, once.
func exit(code int) {
	if leaving.CompareAndSwap(false, true) {
		os.Exit(code)
	}
	select {}
}
