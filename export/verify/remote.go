package verify

import (
	"fmt"
	"time"

	"pawl/lifecycle"
)

// mostAttempts is how often a run is placed at most: a lost one is queued again twice.
const mostAttempts = 3

// requests is what an audit knows of the requests of a run's process elsewhere, since it was placed.
// Questions and warnings are no part of newest: a question waits while later requests are served.
type requests struct {
	newest int64
	at     time.Time
	asked  map[int64]bool // those that were questions
}

// remote: a remote run has one worker at a time, and each of its requests is recorded once.
func (a *audit) remote(t *transition) {
	fault := func(format string, args ...any) { a.fault(promiseRemote, t.rec.Run, "", format, args...) }
	switch e := t.rec.Event.(type) {
	case lifecycle.Placed:
		delete(a.requests, t.rec.Run)
		was := t.before.Placed
		switch {
		case e.Worker == "" && !a.src.Bare:
			fault("it is placed with no worker")
		case was != nil && was.LostAt.IsZero():
			fault("attempt %d begins, but the worker of attempt %d was not lost", e.Attempt, was.Attempt)
		case was != nil && !t.after.Idempotent:
			fault("it is placed a second time, but is not idempotent")
		case e.Attempt > mostAttempts:
			fault("it is placed for attempt %d, but there are at most %d", e.Attempt, mostAttempts)
		}
	case lifecycle.Ended:
		defer delete(a.requests, t.rec.Run)
	case lifecycle.Warned:
		if e.Kind == lifecycle.WarnWorkerLost && !t.after.Remote() {
			fault("its worker was lost, but it has none: it is not remote")
		}
	default:
	}
	if t.rec.Request != 0 {
		a.request(t, fault)
	}
}

// request holds a record against the request that it came from.
func (a *audit) request(t *transition, fault func(string, ...any)) {
	if !t.after.Remote() || t.after.Placed == nil {
		fault("it is recorded for request %d of a process on another machine, but the run is at home", t.rec.Request)
		return
	}
	known := a.requests[t.rec.Run]
	if known == nil {
		known = &requests{asked: map[int64]bool{}}
		a.requests[t.rec.Run] = known
	}
	switch t.rec.Event.(type) {
	case lifecycle.PermissionAsked:
		if known.asked[t.rec.Request] {
			fault("request %d is recorded twice", t.rec.Request)
		}
		known.asked[t.rec.Request] = true
		return
	case lifecycle.Warned, lifecycle.PermissionGranted, lifecycle.PermissionDenied:
		return
	default:
	}
	switch {
	case t.rec.Request < known.newest:
		fault("request %d is recorded after request %d", t.rec.Request, known.newest)
	case t.rec.Request == known.newest && !t.rec.Time.Equal(known.at): // what is written in one change has one time
		fault("request %d is recorded twice", t.rec.Request)
	}
	known.newest, known.at = t.rec.Request, t.rec.Time
}

// misplaced says why a run cannot be placed like this.
func (t *transition) misplaced(e lifecycle.Placed) error {
	if was := t.before.Placed; was != nil {
		return fmt.Errorf("attempt %d is taken by a worker, after attempt %d", e.Attempt, was.Attempt)
	}
	if !t.before.Remote() {
		return fmt.Errorf("a worker on another machine takes a run that is not remote")
	}
	return fmt.Errorf("a worker takes attempt %d, which is none", e.Attempt)
}
