package launch

import (
	"os"
	"runtime"
	"syscall"
)

// Name is what the helper is called. As os.Args[0] it chooses this role of the
// binary.
const Name = "pawl-launch"

// Mode is how a helper keeps the processes of its command together.
type Mode string

// The modes, the strongest first. The first two are Linux's.
const (
	Namespace Mode = "namespace" // the helper is process 1 of a PID namespace
	Subreaper Mode = "subreaper" // the kernel hands the command's orphans to the helper
	Group     Mode = "group"     // the process group, and the mark in the environment
)

// The helper's descriptors, from the first of exec.Cmd's ExtraFiles on: it reads
// asks from the one and writes its Report to the other. The command gets neither.
const (
	controlFD = 3
	reportFD  = 4
)

// What Pawl asks of the helper, a byte each. The end of the pipe means that Pawl
// is gone: everything is killed at once.
const (
	AskStop   byte = 's' // stop politely, then not
	AskHasten byte = 'q' // nobody holds the output any more: what is left has nothing to say
)

// Arguments are the helper's, the name included. argv is the command's, with its
// name. Without a path the helper only tries whether the mode, and the confinement
// in it, is possible.
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

// Rights, Landlock, the filter and the name in lists of processes are a thread's, and
// the helper is to have them on its first: main runs there when an init function has
// locked it. A program that is no helper may unlock it.
func init() { runtime.LockOSThread() } //nolint:gochecknoinits // the reason stands above

// ready says that Main was called: what is started as a helper will be one.
var ready bool

// Main is the first call of a program that starts helpers, and of the TestMain of each
// package whose tests do. In a process that was started as a helper it does the helper's
// work and does not return.
func Main() {
	ready = true
	if len(os.Args) > 0 && os.Args[0] == Name {
		// Not os.Exit: there is nothing to flush, and under the race detector that
		// waits a second.
		syscall.Exit(help(os.Args[1:]))
	}
}

// Ready says whether this program calls Main. One that does not must start no helper:
// that would be the whole program once more.
func Ready() bool { return ready }

// help is the helper's life. It stays on one thread, so what is done to the thread
// holds for the command too.
func help(args []string) int {
	syscall.CloseOnExec(controlFD)
	syscall.CloseOnExec(reportFD)
	if len(args) < 2 {
		_, _ = os.Stderr.WriteString(Name + " is a part of Pawl that only Pawl can start\n")
		return 2
	}
	means, known := ways[Mode(args[0])]
	if !known {
		return tell(Report{Step: "mode", Errno: syscall.EINVAL})
	}
	confinement, err := confinementOf(args[1])
	if err != nil {
		return tell(Report{Step: StepTold, Errno: errno(err)})
	}
	if err := confinement.raiseLoopback(); err != nil {
		return tell(Report{Step: StepLoopback, Errno: errno(err)})
	}
	if step, err := means.prepare(confinement); err != nil {
		return tell(Report{Step: step, Errno: errno(err)})
	}
	if step, err := confinement.restrict(); err != nil {
		return tell(Report{Step: step, Errno: errno(err)})
	}
	if len(args) < 4 {
		return tell(Report{Ready: true})
	}
	c := newCall(means)
	if err := c.start(args[2], args[3:]); err != nil {
		return tell(Report{Step: StepExec, Errno: errno(err)})
	}
	return tell(c.attend())
}

// confinementOf is what the command is confined to; nil where it is not.
func confinementOf(word string) (*Confinement, error) {
	switch word {
	case wordOpen:
		return nil, nil
	case wordConfined:
		return hear(controlFD)
	default:
		return nil, syscall.EINVAL
	}
}

// tell writes the report. Nobody may be there to read it.
func tell(r Report) int {
	_, _ = syscall.Write(reportFD, []byte(r.line()))
	return 0
}
