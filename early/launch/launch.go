package launch

import (
	"os"
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
// name. Without a path the helper only tries whether the mode is possible.
func Arguments(mode Mode, path string, argv ...string) []string {
	arguments := []string{Name, string(mode)}
	if path == "" {
		return arguments
	}
	return append(append(arguments, path), argv...)
}

// The role is taken here, and not by main, because a helper is started for each
// command: what the rest of the program prepares at its start would be waited for.
func init() { //nolint:gochecknoinits // the reason stands above
	if len(os.Args) > 0 && os.Args[0] == Name {
		// Not os.Exit: there is nothing to flush, and under the race detector that
		// waits a second.
		syscall.Exit(help(os.Args[1:]))
	}
}

// help is the helper's life. It runs on the main thread, as all init functions
// do, so what is done to the thread holds for the command too.
func help(args []string) int {
	syscall.CloseOnExec(controlFD)
	syscall.CloseOnExec(reportFD)
	if len(args) == 0 {
		_, _ = os.Stderr.WriteString(Name + " is a part of Pawl that only Pawl can start\n")
		return 2
	}
	means, known := ways[Mode(args[0])]
	if !known {
		return tell(Report{Step: "mode", Errno: syscall.EINVAL})
	}
	if step, err := means.prepare(); err != nil {
		return tell(Report{Step: step, Errno: errno(err)})
	}
	if len(args) < 3 {
		return tell(Report{Ready: true})
	}
	c := newCall(means)
	if err := c.start(args[1], args[2:]); err != nil {
		return tell(Report{Step: StepExec, Errno: errno(err)})
	}
	return tell(c.attend())
}

// tell writes the report. Nobody may be there to read it.
func tell(r Report) int {
	_, _ = syscall.Write(reportFD, []byte(r.line()))
	return 0
}
