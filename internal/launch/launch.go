package launch

import (
	"os"
	"runtime"
	"syscall"
)

// Name is the helper's name. As os.Args[0] it selects this role of the binary.
const Name = "pawl-launch"

// Mode is how a helper keeps track of the processes of its command.
type Mode string

// The modes, strongest first. The first two exist on Linux only.
const (
	Namespace Mode = "namespace" // the helper is process 1 of a PID namespace
	Subreaper Mode = "subreaper" // orphans of the command become children of the helper
	Group     Mode = "group"     // the process group, and the mark in the environment
)

// The helper's descriptors, the first two of exec.Cmd's ExtraFiles: it reads requests from
// controlFD and writes its Report to reportFD. The command gets neither.
const (
	controlFD = 3
	reportFD  = 4
)

// What Pawl asks of the helper, one byte each. The end of the pipe means that Pawl is gone:
// everything is killed at once.
const (
	AskStop   byte = 's' // SIGTERM, then SIGKILL
	AskHasten byte = 'q' // no process holds the output any more: wait only exitGrace
)

// Arguments returns the helper's argument list, its name included. argv is the command's, with
// its name. Without a path the helper only tests whether the mode, with this confinement, is
// possible.
func Arguments(mode Mode, c *Confinement, path string, argv ...string) []string {
	arguments := []string{Name, string(mode), wordOpen}
	if c != nil {
		arguments[2] = wordConfined
	}
	if path == "" {
		return arguments
	}
	return append(append(arguments, path), argv...)
}

// Capabilities, Landlock, the filter and the process name belong to a thread, and the helper
// needs them on its first one: main runs there if an init function has locked it. Programs that
// are not helpers may unlock it.
func init() { runtime.LockOSThread() } //nolint:gochecknoinits // the reason stands above

// ready: Main was called, so a process started as a helper will act as one.
var ready bool

// Main must be the first call of a program that starts helpers, and of the TestMain of each
// package whose tests do. In a process that was started as a helper it does the helper's work
// and does not return.
func Main() {
	ready = true
	if len(os.Args) > 0 && os.Args[0] == Name {
		// Not os.Exit: there is nothing to flush, and under the race detector it waits a second.
		syscall.Exit(runHelper(os.Args[1:]))
	}
}

// Ready reports whether this program calls Main. One that does not must not start a helper: that
// would run the whole program again.
func Ready() bool { return ready }

// runHelper runs the helper and returns its exit code. It stays on one thread, so restrictions of
// that thread apply to the command too.
func runHelper(args []string) int {
	syscall.CloseOnExec(controlFD)
	syscall.CloseOnExec(reportFD)
	if len(args) < 2 {
		_, _ = os.Stderr.WriteString(Name + " is a part of Pawl that only Pawl can start\n")
		return 2
	}
	m, known := mechanisms[Mode(args[0])]
	if !known {
		return writeReport(Report{Step: "mode", Errno: syscall.EINVAL})
	}
	confinement, err := confinementOf(args[1])
	if err != nil {
		return writeReport(Report{Step: StepTold, Errno: errno(err)})
	}
	if err := confinement.raiseLoopback(); err != nil {
		return writeReport(Report{Step: StepLoopback, Errno: errno(err)})
	}
	if step, err := m.prepare(confinement); err != nil {
		return writeReport(Report{Step: step, Errno: errno(err)})
	}
	if step, err := confinement.restrict(); err != nil {
		return writeReport(Report{Step: step, Errno: errno(err)})
	}
	if len(args) < 4 {
		return writeReport(Report{Ready: true})
	}
	c := newCall(m)
	if err := c.start(args[2], args[3:]); err != nil {
		return writeReport(Report{Step: StepExec, Errno: errno(err)})
	}
	return writeReport(c.attend())
}

// confinementOf returns the command's confinement, or nil if it is not confined.
func confinementOf(word string) (*Confinement, error) {
	switch word {
	case wordOpen:
		return nil, nil
	case wordConfined:
		return readConfinement(controlFD)
	default:
		return nil, syscall.EINVAL
	}
}

// writeReport writes the report and returns the exit code. It may be that nobody reads it.
func writeReport(r Report) int {
	_, _ = syscall.Write(reportFD, []byte(r.line()))
	return 0
}
