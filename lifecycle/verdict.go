package lifecycle

import (
	"errors"
	"strings"
)

// Outcome is what a worker hands back: the final text of a model that stopped
// normally, or an error. A *Failure keeps its kind.
type Outcome struct {
	Text string
	Err  error
	// ExitCode is that of the run's own process, if it had one: 128 + n for
	// signal n.
	ExitCode *int
	// Worktree is that of the run, if it had one.
	Worktree *Worktree
	// Saved is called once the end of the run is on disk, if it is not nil. It must return at once.
	Saved func()
}

// verdict decides how a run ended. It is pure: cause is the cause with which the
// run's context was cancelled, nil if it was not; partial is the text that the
// run has so far.
//
// Work that was finished before a stop reached it stays finished: a stop that
// meets a completion yields the completion.
func verdict(cause error, out Outcome, partial string) Ended {
	if out.Err == nil {
		if strings.TrimSpace(out.Text) == "" {
			return Ended{State: StateCompletedEmpty, Partial: partial}
		}
		return Ended{State: StateCompleted, Result: out.Text}
	}
	var failure *Failure
	if errors.As(out.Err, &failure) && (failure.Kind == FailPanic || failure.Kind == FailJournal) {
		return Ended{State: StateFailed, Error: failure, Partial: partial} // whatever else asked for the end
	}
	if stop, is := errors.AsType[*Stopped](cause); is {
		return Ended{State: stop.Cause.State(), Cause: stop.Cause, Reason: stop.Reason, Partial: partial}
	}
	if lost := lostWorker(out.Err); cause == nil && lost != nil {
		return Ended{State: lost.Cause.State(), Cause: lost.Cause, Reason: lost.Reason, Partial: partial}
	}
	if cause != nil { // the process is ending
		return Ended{State: StateInterrupted, Cause: CauseProcessEnd, Partial: partial}
	}
	return Ended{State: StateFailed, Error: asFailure(out.Err), Partial: partial}
}

// lostWorker is the error of a remote run whose worker is gone; nil if err is another.
func lostWorker(err error) *Stopped {
	var stop *Stopped
	if errors.As(err, &stop) && stop.Cause == CauseWorkerLost {
		return stop
	}
	return nil
}
