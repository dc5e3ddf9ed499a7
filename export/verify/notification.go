package verify

import (
	"time"

	"pawl/export/book"
	"pawl/lifecycle"
)

// due is what the next record has to be: both are written in one transaction.
type due struct {
	at   lifecycle.Seq // that it follows
	run  lifecycle.RunID
	time time.Time
	fits func(lifecycle.Event) bool
	// Where something else comes, this promise is broken, and this is missing.
	promise Promise
	what    string
}

// expect says what has to follow the record at hand.
func (a *audit) expect(t *transition, p Promise, what string, fits func(lifecycle.Event) bool) {
	a.due = &due{at: t.rec.Seq, run: t.rec.Run, time: t.rec.Time, fits: fits, promise: p, what: what}
}

// kept holds a record against what had to come.
func (a *audit) kept(t *transition) {
	d := a.due
	a.due = nil
	if d != nil && (t.rec.Run != d.run || !d.fits(t.rec.Event) || !t.rec.Time.Equal(d.time)) {
		a.note(Fault{Promise: d.promise, Record: d.at, Run: d.run, Message: d.what})
	}
}

// overdue is kept for the end of the log.
func (a *audit) overdue() {
	if d := a.due; d != nil {
		a.due = nil
		a.note(Fault{Promise: d.promise, Record: d.at, Run: d.run, Message: d.what})
	}
}

// owed: what is owed about an end is queued with it, is told in a run and at a step of its
// parent, and counts as read from then on. That it is delivered or withdrawn once, and
// read once, Run.Apply says.
func (a *audit) owed(t *transition) {
	run := t.after
	fault := func(format string, args ...any) { a.fault(promiseTold, t.rec.Run, "", format, args...) }
	switch e := t.rec.Event.(type) {
	case lifecycle.Ended:
		// One that its parent stopped is told by that call, or later, if the call is cut off.
		if run.Owes() && run.State != lifecycle.StateCanceledByAgent {
			a.expect(t, promiseTold, "its parent must be notified of its end, but no notification is queued with it", is[lifecycle.NotificationQueued])
		}
	case lifecycle.NotificationDelivered:
		in := a.runs[e.InRun]
		switch {
		case in.ID == "":
			fault("it was delivered in run %s, which does not exist", e.InRun)
		case in.Session != run.Parent: // ownRuns says so
		case run.UserShell() && in.State.Terminal() && in.Step == e.Step: // its session was idle
		case in.State != lifecycle.StateRunning || in.Step != e.Step:
			fault("it was delivered at step %d of run %s, which is %s at step %d", e.Step, a.name(in.ID), in.State, in.Step)
		}
		a.expect(t, promiseTold, "it was delivered, but is not marked as read by that", func(event lifecycle.Event) bool {
			c, is := event.(lifecycle.Consumed)
			return is && c.By == lifecycle.ByNotification && c.InRun == e.InRun
		})
	case lifecycle.NotificationWithdrawn:
		if e.By != lifecycle.ByRunEnd {
			a.expect(t, promiseTold, "its notification was withdrawn because a call reports the end, but no call does", func(event lifecycle.Event) bool {
				c, is := event.(lifecycle.Consumed)
				return is && c.By == e.By
			})
		}
	case lifecycle.Consumed:
		n := run.Notification
		switch told := n != nil && n.InRun != ""; {
		case n.Pending():
			fault("it was read, but its notification is still pending")
		case told != (e.By == lifecycle.ByNotification):
			fault("it was read by %s, but its notification is %s", e.By, became(n))
		}
	default:
	}
}

func is[E lifecycle.Event](event lifecycle.Event) bool {
	_, is := event.(E)
	return is
}

// became says in a few words what became of a notification.
func became(n *lifecycle.Notification) string {
	switch {
	case n == nil:
		return "nothing"
	case n.InRun != "":
		return "delivered"
	case n.WithdrawnBy != "":
		return "withdrawn by " + string(n.WithdrawnBy)
	}
	return "not delivered yet"
}

// stillOwed: of an end that nobody has told, somebody will: it is owed, or a call of the
// parent is open that waits for it or has asked for it. A shell that ended with what it was
// started for is told to nobody.
func (a *audit) stillOwed() {
	for _, id := range a.runOrder {
		run := a.runs[id]
		if a.broken[id] || !run.Untold() || run.Notification != nil {
			continue
		}
		calls := a.callsOf(run.Parent)
		_, waits := calls[run.Call]
		stopping := false
		for _, c := range calls {
			stopping = stopping || run.State == lifecycle.StateCanceledByAgent && c.stops()
		}
		if !waits && !stopping {
			a.note(Fault{Promise: promiseTold, Run: id, Message: "it has ended as " + string(run.State) + ", but its parent was not notified and will not be"})
		}
	}
}

// callsOf are the calls of a session that have no result.
func (a *audit) callsOf(session lifecycle.SessionID) map[lifecycle.CallID]openCall {
	if s := a.sessions[session]; s != nil {
		return s.calls
	}
	return nil
}

// ownRuns: a model starts, reads, messages and stops only runs of its own session.
func (a *audit) ownRuns(t *transition) {
	run := t.after
	of := func(act string, in lifecycle.RunID) {
		if by := a.runs[in]; by.ID == "" || by.Session != run.Parent {
			a.fault(promiseOwn, run.ID, "", "it was %s run %s, but belongs to session %q", act, a.name(in), run.Parent)
		}
	}
	switch e := t.rec.Event.(type) {
	case lifecycle.Spawned:
		if call, open := a.callsOf(e.Parent)[e.Call]; e.Trigger == lifecycle.TriggerAgent && (!open || call.run != e.ParentRun) {
			a.fault(promiseOwn, run.ID, e.Call, "run %s, which started it, has no such call open", a.name(e.ParentRun))
		}
	case lifecycle.NotificationDelivered:
		of("told to", e.InRun)
	case lifecycle.Consumed:
		of("read by", e.InRun)
		if s := a.sessions[run.Parent]; e.By != lifecycle.ByNotification && s != nil && s.answered != (book.Caller{Session: run.Parent, Call: e.Call}) {
			a.fault(promiseTold, run.ID, e.Call, "it was read by %s, but no result of the call came with that", e.By)
		}
	case lifecycle.MessageQueued:
		if e.From == lifecycle.FromAgent {
			of("written to by", e.InRun)
		}
	case lifecycle.StopRequested:
		if e.Cause == lifecycle.CauseAgentStop && (!run.Child() || run.UserShell() || len(a.callsOf(run.Parent)) == 0) {
			a.fault(promiseOwn, run.ID, "", "a model stopped it, but its parent %q has made no call", run.Parent)
		}
	default:
	}
}
