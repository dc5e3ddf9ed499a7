package guard

import (
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// variable names the environment variable that tells a guarded Pawl the descriptor of its end of
// the line. It is removed before anything else runs.
const variable = "PAWL_GUARD"

// Plain are the commands that begin no run, have no screen and need no guard. Any other
// command line is guarded. The first two are called by shells to complete a word.
var Plain = []string{
	"__complete", "__completeNoDesc", "agents", "answer", "changes", "completion", "doctor", "export", "fork", "help", "land", "login", "logout", "man", "mcp", "models", "ps",
	"recover", "rewind", "rm", "run-worker", "send", "sessions", "show", "skills", "stop", "update", "verify", "version", "wait", "watch", "worker", "worktrees",
}

// Role is what this process is to the guard.
type Role int

// The roles. The guard's own process has none: Main does not return there.
const (
	RolePlain     Role = iota // a command, or a test, that needs no guard
	RoleGuarded               // Pawl, with a guard around it
	RoleUnguarded             // Pawl, where the guard could not be started
)

var (
	role    Role
	problem string // why the guard could not be started
	line    = -1
)

// Main makes this process the guard of another one like it if the command line needs one. It
// returns in that other process, and where there is no guard. It must be called before anything
// is opened or started.
func Main() {
	switch {
	case takeLine():
		role = RoleGuarded
	case StartsSession(os.Args):
		role, problem = RoleUnguarded, become().Error()
	}
}

// Own returns the role of this process.
func Own() Role { return role }

// Guarded reports, before Main, whether a guard has started this process.
func Guarded() bool {
	_, there := os.LookupEnv(variable)
	return there
}

// Line returns the descriptor of Pawl's end of the line, to the first caller only.
func Line() (fd int, ok bool) {
	fd, line = line, -1
	return fd, fd >= 0
}

// Problem says why this process has no guard although it should have one; else empty.
func Problem() string { return problem }

// StartsSession decides whether a command line needs a guard, without parsing it: if in doubt it does.
func StartsSession(args []string) bool {
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

// exiting is set by the first goroutine that ends the guard.
var exiting atomic.Bool

// exit ends the guard, with the code of the first call.
func exit(code int) {
	if exiting.CompareAndSwap(false, true) {
		os.Exit(code)
	}
	select {}
}
