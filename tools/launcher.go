package tools

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"pawl/internal/launch"
	"pawl/lifecycle"
	"pawl/tools/outputs"
	"pawl/tools/process/sandbox"
)

// reportEvery is how often the latest line of output is looked at.
const reportEvery = 100 * time.Millisecond

// Launcher is the one door to processes: nothing else in the program starts one,
// but for the user's own Editor.
// Each program gets a helper, which keeps whatever it starts together, ends it
// with the program, and dies with Pawl (package launch). The program has a session
// and a process group of its own, no terminal, nothing to read, no keys of model
// providers in its environment, and a mark there by which it is found should its
// helper be killed.
// What must not stand in an environment, anybody's to read, can be handed over by
// Command.Stdin.
//
// The zero value works. Its methods may be called from any goroutine.
type Launcher struct {
	// Owner is the run whose processes these are: PAWL_RUN in their environment.
	Owner lifecycle.RunID
	// Environ gives the environment to clean and hand on; nil means os.Environ.
	Environ func() []string
	// Containment is how processes are kept; empty means ContainAuto.
	Containment Containment
	// Sandbox is what the programs are kept from. Nil: from nothing, which is for
	// programs that the user has agreed to, and for Pawl itself. Whatever a model
	// wants run takes one, and that of a Sandbox without a word in it confines.
	Sandbox *sandbox.Policy
	// Around is called with the folder before a program starts, and what it gives when
	// nothing of that is left. Nil is allowed.
	Around func(folder string) (ended func())
	// Hide keeps the memory and the environment of this very process from what it
	// starts, and from debuggers, where a program is not in a namespace of its own.
	Hide bool
}

// Command is a program to run.
type Command struct {
	Name    string   // a path, or a name that is looked up on PATH
	Args    []string // without the name
	Folder  string   // where it runs
	Environ []string // added to the clean environment, as NAME=value
	Limit   time.Duration
	// Stdin and Stdout, where they are set, are handed to the program as they are:
	// Output is then standard error alone. Whoever opened them closes them when
	// Run has returned.
	Stdin, Stdout *os.File
	// Outputs gets the whole of an output that is longer than Output holds. Nil:
	// then it is lost.
	Outputs *outputs.Store
	// Latest is told the newest line of output, some times a second while there
	// is a new one, on the goroutine that called Run. Nil is allowed.
	Latest func(line string)
	// Watched is given what reads the output so far, from any goroutine, before the
	// program starts. Nil is allowed.
	Watched func(output func() Output)
}

// Stop says what ended a program before its time.
type Stop string

// The ways to be stopped.
const (
	NotStopped    Stop = ""
	StopCanceled  Stop = "canceled"
	StopTimeLimit Stop = "time_limit"
)

// Finished is what is known of a program when it has ended.
type Finished struct {
	Output   Output // both streams, in the order in which they came
	ExitCode int    // as a shell gives it: 128 + n for signal n; -1 where nobody knows
	Stopped  Stop
	Left     int           // processes that outlived it and were ended with it
	Took     time.Duration // 0: it was never started
	// Sandboxed is a line for the model, where the sandbox may be why it failed.
	Sandboxed string
}

var errTimeLimit = errors.New("time limit")

// ShellCommand is a command line for bash, or for sh where there is no bash.
func ShellCommand(line string) Command {
	name := "sh"
	if path, err := exec.LookPath("bash"); err == nil {
		name = path
	}
	return Command{Name: name, Args: []string{"-c", line}}
}

// Run starts a program and returns when it has ended and everything it started
// is gone, at the latest 2 s after ctx ended or the time limit passed. What it
// did is in Finished, also how it failed. An error means that it could not be
// started, that it could not be ended in time, or that its helper was killed, so
// that nobody knows how it ended; Finished then has the output so far.
func (l *Launcher) Run(ctx context.Context, c Command) (Finished, error) {
	mode, err := modeFor(ctx, l.Containment)
	if err != nil {
		return Finished{ExitCode: -1}, err
	}
	if c.Limit > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, c.Limit, errTimeLimit)
		defer cancel()
		ctx = limited
	}
	// Whatever way this function is left, a panic of Latest included, the program
	// is not.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	environ := os.Environ
	if l.Environ != nil {
		environ = l.Environ
	}
	how := manner{mode: mode}
	var diversions []string
	if l.Sandbox.Confines() {
		how.confinement, diversions, err = l.Sandbox.Confinement(powersFor(ctx, *l.Sandbox, mode), c.Folder, environ())
	}
	if err != nil {
		return Finished{ExitCode: -1}, err
	}
	if l.Around != nil {
		defer l.Around(c.Folder)()
	}
	if l.Hide && mode != launch.Namespace {
		hideMemory()
	}
	p := newProcess(ctx, c, how, environ(), string(l.Owner))
	if c.Watched != nil {
		c.Watched(p.output.output)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.live() }()
	done, err := p.attend(ctx, ended, c.Latest)
	if done.ExitCode > 0 {
		done.Sandboxed = sandbox.Hint(how.confinement, c.Folder, done.Output.Head+"\n"+done.Output.Tail)
	}
	if gone := sandbox.RemoveDiversions(diversions); len(gone) > 0 {
		done.Sandboxed = "the sandbox removed " + strings.Join(gone, ", ") + ", which would make git use other settings"
	}
	return done, err
}
