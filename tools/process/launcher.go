package process

import (
	"context"
	"errors"
	"os"
	"slices"
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
	// Withheld are variables that are kept from the programs besides those whose names say that
	// they hold secrets.
	Withheld []string
	// Writable are folders in which models may write, besides the one in which a program runs: what
	// Pawl itself picks is not taken from there (see Command.Own).
	Writable []string
	// Containment is how processes are kept; empty means ContainAuto.
	Containment Containment
	// Sandbox is what the programs are kept from. Nil: from nothing, which is for
	// programs that the user has agreed to, and for Pawl itself. Whatever a model
	// wants run takes one, and the zero Policy confines.
	Sandbox *sandbox.Policy
	// Hidden names files of a folder, by whole paths, that a closed command does not see. Nil:
	// there are none. An error keeps the command from being started.
	Hidden func(folder string) ([]string, error)
	// Refused is told what the closed sandbox seems to have refused a command. Nil is allowed.
	Refused func(c Command, what string)
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
	if c.Own {
		if c, err = l.own(c); err != nil {
			return Finished{ExitCode: -1}, err
		}
	}
	environ := l.environ
	how := helperSetup{mode: mode}
	var diversions []string
	var confined *launch.Confinement
	policy, err := l.policy(c)
	if err == nil && policy.Confines() {
		c.Environ = slices.Concat(policy.Environ(environ()), c.Environ)
		confined, diversions, err = policy.Confinement(powersFor(ctx, *policy, mode), c.Folder, environ())
	}
	if err == nil {
		how, err = how.confinedBy(confined)
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
	p := newProcess(ctx, c, how, without(environ(), l.Withheld), string(l.Owner))
	if c.Watched != nil {
		c.Watched(p.output.output)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.live() }()
	done, err := p.attend(ctx, ended, c.Latest)
	l.noteRefused(&done, c, confined, environ())
	if gone := sandbox.RemoveDiversions(diversions); len(gone) > 0 {
		done.Sandboxed = "the sandbox removed " + strings.Join(gone, ", ") + ", which would make git use other settings"
	}
	return done, err
}

// environ is what is cleaned and handed on.
func (l *Launcher) environ() []string {
	if l.Environ != nil {
		return l.Environ()
	}
	return os.Environ()
}

// policy is the sandbox of a command; nil: none.
func (l *Launcher) policy(c Command) (*sandbox.Policy, error) {
	if !c.Closed {
		return l.Sandbox, nil
	}
	if l.Sandbox == nil {
		return nil, errors.New("a command that nobody was asked about needs a sandbox, and has none")
	}
	closed := *l.Sandbox
	closed.Closed, closed.Reads = true, c.Reads
	if l.Hidden == nil || c.Reads {
		return &closed, nil
	}
	hidden, err := l.Hidden(c.Folder)
	closed.Hide = slices.Concat(closed.Hide, hidden)
	return &closed, err
}

// noteRefused says what the sandbox may have refused a command that has ended.
func (l *Launcher) noteRefused(done *Finished, c Command, by *launch.Confinement, environ []string) {
	output := done.Output.Head + "\n" + done.Output.Tail
	switch {
	case done.ExitCode < 0, c.Reads: // what it reads needs nothing that is refused
	case c.Closed:
		l.noteClosed(done, c, sandbox.ClosedRefused(by, c.Folder, output), environ)
	case done.ExitCode > 0:
		done.Sandboxed = sandbox.RefusedBy(by, c.Folder, output).Hint()
	}
}

// noteClosed does it for a closed command. One that went well may have been refused the network
// without saying so in its exit code, as the first part of a pipe; what else it was refused it did
// not need.
func (l *Launcher) noteClosed(done *Finished, c Command, refused sandbox.Refused, environ []string) {
	switch {
	case !refused.Any():
		return
	case !l.Sandbox.Opens(refused, c.Folder, environ):
		done.Sandboxed = refused.Hint()
		return
	case done.ExitCode > 0:
		done.Refused = refused.What()
	case !refused.Network:
		return
	default:
		done.Sandboxed = "it ran in a closed sandbox, without a network: if you need that, run the same line again, and the user is asked"
	}
	if l.Refused != nil {
		l.Refused(c, refused.What())
	}
}
