package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Wait returns when a foreground run has ended, was detached, or has outlasted the foreground
// warning. When ctx ends it stops the run for the same cause and returns its state then.
func (sc *Scope) Wait(ctx context.Context, id RunID) (Run, error) {
	h, err := sc.own(id)
	if err != nil {
		return Run{}, err
	}
	warning := sc.s.options.Limits.ForegroundWarning
	left := time.Until(sc.read(h).SpawnedAt.Add(warning))
	timer := time.NewTimer(min(left, warning)) // not longer, where the clock was put back
	defer timer.Stop()
	for {
		select {
		case <-h.done:
		case <-h.moved:
		case <-timer.C:
			// The record decides: the run has ended, was moved, or is overdue now. If that
			// cannot be saved the wait goes on, or nobody would be told of the end.
			_ = sc.overdue(h, warning)
			timer.Reset(retryAfter)
			continue
		case <-ctx.Done():
			if err := sc.leave(h, causeOf(ctx)); err != nil {
				return Run{}, err
			}
		}
		return sc.read(h), nil
	}
}

// causeOf is why a parent's call was cancelled. Without a cause the process is ending, as in
// verdict.
func causeOf(ctx context.Context) Cause {
	if stop, is := errors.AsType[*Stopped](context.Cause(ctx)); is {
		return stop.Cause
	}
	return CauseProcessEnd
}

// leave ends the wait of a parent that was stopped. The run is stopped too, unless it was
// sent to the background just before, or goes on elsewhere.
func (sc *Scope) leave(h *handle, cause Cause) error {
	sc.s.mu.Lock()
	moving, outlives := h.moving, h.run.Outlives(cause)
	sc.s.mu.Unlock()
	if outlives {
		return nil
	}
	if moving != nil && moving.wait() == nil {
		return nil
	}
	_, err := sc.stopAndWait(h, cause, "the main agent was stopped")
	return err
}

func (sc *Scope) overdue(h *handle, after time.Duration) error {
	return sc.s.change(sc.t, func(d *tx) error {
		if h.run.left() {
			return nil
		}
		if err := d.apply(h.run.Session, h.run.ID, Overdue{After: after}); err != nil {
			return err
		}
		return sc.s.startWaiting(d) // it holds no slot any more
	})
}

// Await waits at most d for the end of a run and returns its state then.
func (sc *Scope) Await(ctx context.Context, id RunID, d time.Duration) (Run, error) {
	h, err := sc.own(id)
	if err != nil {
		return Run{}, err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-h.done:
	case <-timer.C:
	case <-ctx.Done():
	}
	return sc.read(h), nil
}

// Stop ends the latest run of a subagent and returns its state: ended, or still ending if
// that takes longer than 2 s. The result reports the end to the parent, so no notification is
// owed if the stop is what ended the run.
func (sc *Scope) Stop(agent SessionID, reason string) (Run, error) {
	sc.s.mu.Lock()
	h, err := sc.latest(agent)
	sc.s.mu.Unlock()
	if err != nil {
		return Run{}, err
	}
	return sc.stopAndWait(h, CauseAgentStop, reason)
}

func (sc *Scope) stopAndWait(h *handle, cause Cause, reason string) (Run, error) {
	s := sc.s
	s.mu.Lock()
	h.told++
	_, err := s.stopRun(sc.t, h, cause, reason)
	s.mu.Unlock()
	if err == nil {
		timer := time.NewTimer(stopGrace)
		defer timer.Stop()
		select {
		case <-h.done:
		case <-timer.C:
		}
	}
	s.mu.Lock()
	h.told--
	sc.t.letGo(h)
	ending := h.ending
	s.mu.Unlock()
	if err != nil {
		return Run{}, err
	}
	_ = ending.wait() // this caller reports the end; one that is not saved does not count
	run := sc.read(h)
	if run.ID == "" { // its start was not saved either
		return Run{}, fmt.Errorf("the run that was to be stopped did not begin: %w", ErrUnknown)
	}
	return run, nil
}
