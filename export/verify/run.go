package verify

import (
	"strings"

	"pawl/lifecycle"
)

// place: every record belongs to a run, every run to a session, every session to this root.
func (a *audit) place(t *transition) {
	rec, run := t.rec, t.after
	fault := func(format string, args ...any) { a.fault(promisePlace, rec.Run, "", format, args...) }
	spawned, born := rec.Event.(lifecycle.Spawned)
	s := a.sessions[rec.Session]
	switch {
	case rec.Root != a.root:
		fault("it belongs to root session %s", rec.Root)
	case rec.Session != run.Session:
		fault("it is in session %s, but its run is in %s", rec.Session, run.Session)
	case !born:
	case spawned.Root != a.root:
		fault("the run belongs to root session %s", spawned.Root)
	case (spawned.Parent == "") != (rec.Session == a.root):
		fault("a run of session %s has the parent %q", rec.Session, spawned.Parent)
	case s.parent != spawned.Parent || s.shell != run.Shell():
		fault("session %s belonged to %q before, and now to %q", rec.Session, s.parent, spawned.Parent)
	case s.shell && s.runs > 1:
		fault("shell %s begins a second time", rec.Session)
	case run.UserShell() && run.ParentRun == "" && a.sessions[run.Parent] != nil && a.sessions[run.Parent].runs == 0: // nothing was said yet
	case run.Child() && a.runs[run.ParentRun].Session != run.Parent:
		fault("run %s, which started it, does not belong to session %s", a.name(run.ParentRun), run.Parent)
	}
}

// depth: subagents start no subagents.
func (a *audit) depth(t *transition) {
	if _, born := t.rec.Event.(lifecycle.Spawned); born && t.after.Subagent() && t.after.Parent != a.root {
		a.fault(promiseDepth, t.rec.Run, "", "subagent session %s has started it", t.after.Parent)
	}
}

// clock: every record says when it was. It may be earlier than the one before: clocks are
// put back, and the numbers alone tell the order.
func (a *audit) clock(t *transition) {
	if t.rec.Time.IsZero() {
		a.fault(promiseClock, t.rec.Run, "", "it has no time")
	}
}

// oneAtWork: a session has one run at a time.
func (a *audit) oneAtWork(t *transition) {
	if _, born := t.rec.Event.(lifecycle.Spawned); !born {
		return
	}
	s := a.sessions[t.rec.Session]
	before := a.runs[s.latest]
	s.latest = t.rec.Run
	if before.ID != "" && !before.State.Terminal() && !a.givenUp(before, t.rec) {
		a.fault(promiseOneAtWork, t.rec.Run, "", "run %s of the same session is still %s", a.name(before.ID), before.State)
	}
}

// givenUp says that the end of a run could not be recorded, and may have come before this
// record: it was found later, or not yet, and nothing of its own has come since. It keeps
// nobody waiting.
func (a *audit) givenUp(run lifecycle.Run, rec lifecycle.Record) bool {
	said, known := a.receipts[run.ID]
	lost := !said.State.Terminal() || said.State == lifecycle.StateInterrupted
	return known && lost && !said.HeardAt.After(rec.Time) && run.Seq < rec.Seq
}

// states says what Run.Apply does not: a run begins or stands in line at once, its model
// speaks in steps that follow one another, and only a subagent is asked for its words, once.
func (a *audit) states(t *transition) {
	switch e := t.rec.Event.(type) {
	case lifecycle.Spawned:
		a.expect(t, promiseStates, "it neither starts nor queues", func(event lifecycle.Event) bool {
			return is[lifecycle.Started](event) || is[lifecycle.Queued](event)
		})
	case lifecycle.Text, lifecycle.Thinking, lifecycle.ToolStarted:
		if t.after.Step == 0 && t.after.Trigger != lifecycle.TriggerCompact { // that takes none
			a.fault(promiseStates, t.rec.Run, "", "%s before its first step", lifecycle.Name(t.rec.Event))
		}
	case lifecycle.StepStarted:
		if e.Step != t.before.Step+1 {
			a.fault(promiseStates, t.rec.Run, "", "step %d follows step %d", e.Step, t.before.Step)
		}
	case lifecycle.Nudged:
		if !t.after.Subagent() || t.after.Nudges > 1 {
			a.fault(promiseStates, t.rec.Run, "", "it was asked to report, time %d", t.after.Nudges)
		}
	default:
	}
}

// causes: how a run ended fits what ended it.
func (a *audit) causes(t *transition) {
	e, ended := t.rec.Event.(lifecycle.Ended)
	if !ended {
		return
	}
	fault := func(format string, args ...any) { a.fault(promiseCauses, t.rec.Run, "", format, args...) }
	itself := e.State == lifecycle.StateCompleted || e.State == lifecycle.StateCompletedEmpty || e.State == lifecycle.StateFailed
	switch {
	case e.Error == nil && e.State == lifecycle.StateFailed:
		fault("it failed, but has no error")
	case e.Error != nil && e.State != lifecycle.StateFailed:
		fault("it is %s, but has an error of kind %s", e.State, e.Error.Kind)
	case itself && e.Cause != "":
		fault("it is %s, which has no cause outside the run, but the cause is %s", e.State, e.Cause)
	case !itself && e.Cause == "":
		fault("it is %s, but has no cause", e.State)
	case !itself && e.Cause.State() != e.State:
		fault("it is %s with the cause %s, which leads to %s", e.State, e.Cause, e.Cause.State())
	case e.Found && e.Cause != lifecycle.CauseProcessEnd:
		fault("it was found dead, but the cause is %s", e.Cause)
	case e.Cause == lifecycle.CauseWorkerLost && !t.after.Remote() && !a.runs[t.after.ParentRun].Remote():
		fault("its worker was lost, but it has none: it is not remote")
	case e.Cause == lifecycle.CauseRunEnd && !t.after.Shell(), e.Cause == lifecycle.CauseAgentStop && !t.after.Child():
		fault("%s cannot end a run like this", e.Cause)
	case e.State == lifecycle.StateCompleted && strings.TrimSpace(e.Result) == "":
		fault("it is completed, but has no result")
	case e.State != lifecycle.StateCompleted && e.Result != "" && !t.after.Shell():
		fault("it is %s, but has a result", e.State)
	}
}
