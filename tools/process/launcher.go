package process

import (
	"context"
	"os"
	"strings"

	"pawl/internal/launch"
	"pawl/lifecycle"
	"pawl/tools/process/sandbox"
)

// Launcher is the one door to programs: nothing else of Pawl starts one, but for the
// user's own Editor.
//
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
	// wants run takes one, and the zero Policy confines.
	Sandbox *sandbox.Policy
	// Around is called with the folder before a program starts, and what it gives when
	// nothing of that is left. Nil is allowed.
	Around func(folder string) (ended func())
	// Hide keeps the memory and the environment of this very process from what it
	// starts, and from debuggers, where a program is not in a namespace of its own.
	Hide bool
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
	how := helperSetup{mode: mode}
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
