package remoterun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"pawl/lifecycle"
)

// mostAttempts is how often an idempotent run is begun: once, and twice again.
const mostAttempts = 3

// Work is the lifecycle.Worker of a remote run. It returns when nothing of the run is left anywhere
// and what it changed is at home, or at once if ctx ends with lifecycle.ErrLeft.
func (r *Runs) Work(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
	run := port.Run()
	defer r.begin(run.ID, 0)
	say(port, "looking for a worker")
	for {
		a := &attempt{runs: r, port: port, number: attemptOf(port.Run())}
		r.begin(run.ID, a.number)
		out := a.work(ctx)
		if !isLost(out) || ctx.Err() != nil || !run.Idempotent || a.number >= mostAttempts {
			return out
		}
		if err := a.again(); err != nil {
			return lifecycle.Outcome{Err: err, Worktree: out.Worktree, Saved: out.Saved}
		}
		if out.Saved != nil {
			out.Saved()
		}
	}
}

// say shows what a run waits for. One that has begun is at a step, and shows nothing of an earlier one.
func say(port *lifecycle.Port, activity string) {
	port.Report(lifecycle.Progress{Step: port.Run().Step, Activity: activity})
}

// attemptOf is the number of the attempt that a run is at.
func attemptOf(run lifecycle.Run) int {
	switch {
	case run.Placed == nil:
		return 1
	case !run.Placed.LostAt.IsZero():
		return run.Placed.Attempt + 1
	}
	return run.Placed.Attempt
}

// isLost reports whether a run's worker is gone, and not the run.
func isLost(out lifecycle.Outcome) bool {
	var stopped *lifecycle.Stopped
	return errors.As(out.Err, &stopped) && stopped.Cause == lifecycle.CauseWorkerLost
}

// again records that the run begins once more, and tells its model why its changes are gone.
func (a *attempt) again() error {
	run := a.port.Run()
	where := "its worker"
	if run.Placed != nil {
		where = "its worker on " + run.Placed.Machine
	}
	warned := lifecycle.Warned{
		Kind:    lifecycle.WarnWorkerLost,
		Message: fmt.Sprintf("%s was lost, so it begins again: attempt %d of %d", where, a.number+1, mostAttempts),
	}
	text, err := json.Marshal(lifecycle.Said{From: lifecycle.FromPawl, Text: lostText})
	if err != nil {
		return err
	}
	var told []lifecycle.Entry
	if run.Step > 0 { // else it knows of no files yet
		told = []lifecycle.Entry{{Session: run.Session, Run: run.ID, Kind: lifecycle.EntryUser, Body: text}}
	}
	return a.port.Record(told, warned)
}

// lostText tells the model of an idempotent run that it begins again.
const lostText = "The machine that you worked on was lost, and with it every file that you changed in this task and every command that you started. " +
	"You now work on another one, where the files are as they were when the task was given to you. Do the task again from its beginning; what you found out still holds."
