package headless

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pawl/lifecycle"
)

// stopPatience is how long stopped runs may take: the 2 s of a stop, and time to record it. Then
// they are left behind and reported as such.
const stopPatience = 5 * time.Second

// watch follows one prompt to its end.
//
//	the parent ends ──► subagents work on ──► each end wakes the parent ──► settled
//	                      │ only shells are left: they are stopped, and the parent is not told
//	                      │ the time limit: they are stopped, and the parent is told
//	                      └ it starts more: all is stopped, and the parent is not told
type watch struct {
	options  Options
	ledger   *ledger
	signal   int
	stopping lifecycle.Cause          // why everything was told to stop; empty: it was not
	stopped  map[lifecycle.RunID]bool // runs stopped at the time limit; nil before that
	drain    <-chan time.Time
	giveUp   <-chan time.Time
	fault    string // why the log cannot be written
	waking   bool   // the parent is about to be woken

	saidFault bool // fault was reported

	talk
}

var errSettled = errors.New("settled")

// run takes updates from the watcher's goroutine one at a time, so that the ledger has one
// owner.
func (w *watch) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	updates, ended := follow(ctx, w.options.Route, w.options.Snapshot.Root, w.options.Snapshot.Seq)
	for {
		select {
		case u := <-updates:
			if err := w.take(ctx, u); err != nil {
				cancel(err)
			}
		case w.signal = <-w.options.Signals:
			w.heedSignal(ctx)
		case h, more := <-w.input:
			if more {
				w.carryOut(ctx, h)
			} else {
				w.inputEnded(ctx)
			}
		case <-w.gone:
			w.stopUnread(ctx)
		case <-w.drain:
			w.stopSubagents(ctx)
		case <-w.giveUp:
			if w.giveUp = nil; w.stopping != "" || w.ledger.parent().State.Terminal() {
				cancel(errSettled)
			}
		case err := <-ended:
			if errors.Is(err, errSettled) {
				return nil
			}
			return err
		}
		if w.over() {
			cancel(errSettled)
		}
	}
}

func (w *watch) take(ctx context.Context, u lifecycle.Updates) error {
	ended, err := w.ledger.fold(u)
	if err != nil {
		return err
	}
	if u.Fault != "" && u.Fault != w.fault { // once, not at each wake-up
		tell(w.options.Errors, "not saved: %s", u.Fault)
		w.saidFault = true
	}
	w.fault, w.waking = u.Fault, u.Waking
	for _, rec := range u.Records {
		w.remark(rec)
	}
	for _, run := range ended {
		if run.Subagent() && w.options.Progress {
			denied := ""
			if n := len(run.Denials); n > 0 {
				denied = fmt.Sprintf(" · %d denied", n)
			}
			tell(w.options.Errors, "subagent %q %s%s · %s", run.Description, run.Status().Words(lifecycle.ForPerson), denied, run.Elapsed(run.EndedAt).Round(100*time.Millisecond))
		}
	}
	w.afterParent(ctx)
	w.deny(ctx)
	return nil
}

// remark tells of what people want to know at once, in one line.
func (w *watch) remark(rec lifecycle.Record) {
	switch e := rec.Event.(type) {
	case lifecycle.Warned:
		people := []lifecycle.WarningKind{lifecycle.WarnBudget, lifecycle.WarnHook, lifecycle.WarnStop, lifecycle.WarnEffort, lifecycle.WarnSearch, lifecycle.WarnImages, lifecycle.WarnFallback, lifecycle.WarnResult}
		if slices.Contains(people, e.Kind) {
			tell(w.options.Errors, "%s", e.Message)
		}
	case lifecycle.Landed: // from another terminal
		tell(w.options.Errors, "%s", e.Words(w.ledger.Run(rec.Run).Description))
	case lifecycle.Rewound:
		tell(w.options.Errors, "%s", e.Words())
	default: // nothing to remark
	}
}

// afterParent starts the time limit, or stops the subagents, once the parent is idle and nobody
// can write to it any more.
func (w *watch) afterParent(ctx context.Context) {
	if w.input != nil {
		return
	}
	alive := w.ledger.Live()
	if !w.ledger.parent().State.Terminal() || len(alive) == 0 {
		return
	}
	switch {
	case w.options.StopAgents:
		w.stopAll(ctx, lifecycle.CauseAgentsStop)
	case !w.ledger.working() && w.waking: // it is to be told of an end first
	case !w.ledger.working():
		w.stopAll(ctx, lifecycle.CauseRunEnd) // a server would never end
	case w.stopped != nil && slices.ContainsFunc(alive, func(run lifecycle.Run) bool { return !w.stopped[run.ID] }):
		w.stopAll(ctx, lifecycle.CauseDrainTimeout) // the parent started more: this has no end
	case w.stopped != nil && w.giveUp == nil:
		w.giveUp = time.After(stopPatience)
	case w.options.DrainTimeout > 0 && w.drain == nil:
		w.drain = time.After(w.options.DrainTimeout)
	}
}

// stopSubagents stops the subagents at the time limit, newest first, so that none of them gets
// the slot of another. The parent is told and gives the final answer.
func (w *watch) stopSubagents(ctx context.Context) {
	w.stopped = map[lifecycle.RunID]bool{}
	for _, run := range slices.Backward(w.ledger.Live()) {
		if run.Child() {
			w.stopped[run.ID] = true
			w.do(ctx, lifecycle.Stop{Session: run.Session, Cause: lifecycle.CauseDrainTimeout})
		}
	}
	w.giveUp = time.After(stopPatience)
}

// stopAll stops everything, once.
func (w *watch) stopAll(ctx context.Context, cause lifecycle.Cause) {
	if w.stopping != "" {
		return
	}
	w.stopping = cause
	w.do(ctx, lifecycle.StopAll{Root: w.options.Snapshot.Root, Cause: cause})
	w.giveUp = time.After(stopPatience)
}

// do sends a stop. A failure is reported and does not end the watch.
func (w *watch) do(ctx context.Context, stop lifecycle.Command) {
	if _, err := w.options.Route.Do(ctx, stop); err != nil {
		tell(w.options.Errors, "stop: %s", err.Error())
	}
}

// heedSignal stops everything, and hears nothing any more.
func (w *watch) heedSignal(ctx context.Context) {
	w.input = nil
	w.stopAll(ctx, signalCause(w.signal))
}

// errSignal is why a command was not carried out when a signal came first.
var errSignal = errors.New("stopped by a signal before it began")

// interruptible has a command carried out. The programs that a message names may take their time: a signal ends
// them, and is in w.signal then.
func (w *watch) interruptible(ctx context.Context, command lifecycle.Command) (reply lifecycle.Reply, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		reply, err = w.options.Route.Do(ctx, command)
	}()
	select {
	case <-done:
	case w.signal = <-w.options.Signals:
		cancel()
		if <-done; errors.Is(err, context.Canceled) {
			err = errSignal
		}
	}
	return reply, err
}

func signalCause(code int) lifecycle.Cause {
	if code == ExitSIGINT {
		return lifecycle.CauseSIGINT
	}
	return lifecycle.CauseProcessEnd
}
