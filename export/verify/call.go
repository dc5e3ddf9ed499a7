package verify

import (
	"slices"

	"pawl/export/book"
	"pawl/lifecycle"
)

// answered: every tool call has exactly one result before the next model request. A run
// that was cut off leaves calls open; the next one of its session answers them before its
// first step.
func (a *audit) answered(t *transition) {
	s := a.sessions[t.rec.Session]
	switch e := t.rec.Event.(type) {
	case lifecycle.ToolStarted:
		if _, open := s.calls[e.Call]; open {
			a.fault(promiseAnswered, t.rec.Run, e.Call, "the call begins a second time before it has a result")
		}
		s.calls[e.Call] = openCall{t.rec.Run, e.Tool}
	case lifecycle.ToolEnded:
		if _, open := s.calls[e.Call]; !open {
			a.fault(promiseAnswered, t.rec.Run, e.Call, "a result for a call that is not waiting for one")
		}
		delete(s.calls, e.Call)
		delete(s.named, e.Call)
		s.answered = book.Caller{Session: s.id, Call: e.Call}
	case lifecycle.StepStarted:
		for call := range s.calls {
			if !s.named[call] {
				a.fault(promiseAnswered, t.rec.Run, call, "the model is asked before the call has its result")
			}
			s.forget(call)
		}
	default:
	}
}

// nothingLeft: a run that came to its end by itself, or was stopped, has seen to its tools
// and its questions. One whose process died, or whose loop broke, could not. That its
// shells were stopped with it is not looked at: where the disk was full they were, and no
// record says so.
func (a *audit) nothingLeft(t *transition) {
	e, ended := t.rec.Event.(lifecycle.Ended)
	if !ended || !orderly(t.after, e) {
		return
	}
	if len(t.before.Asked) > 0 && e.Cause == "" {
		a.fault(promiseNothing, t.rec.Run, t.before.Asked[0].Call, "it is %s, but one of its questions is still open", e.State)
	}
	s := a.sessions[t.rec.Session]
	for call, by := range s.calls {
		if by.run == t.rec.Run {
			a.fault(promiseNothing, t.rec.Run, call, "it is %s, but the call has no result", e.State)
			s.named[call] = true
			s.transcript.forget(call)
		}
	}
}

// orderly says that the loop of a run came to its end.
func orderly(run lifecycle.Run, e lifecycle.Ended) bool {
	broke := []lifecycle.FailureKind{lifecycle.FailProcess, lifecycle.FailPanic, lifecycle.FailJournal, lifecycle.FailTool}
	switch e.State {
	case lifecycle.StateCompleted, lifecycle.StateCompletedEmpty:
		return true
	case lifecycle.StateFailed:
		return e.Error != nil && !slices.Contains(broke, e.Error.Kind)
	case lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return run.Isolation != lifecycle.IsolationProcess && !run.Remote() // that is killed where it does not go
	case lifecycle.StateInterrupted, lifecycle.StateQueued, lifecycle.StateRunning:
		return false
	}
	return false
}

// questions: an answer has its question, and both are about the same run.
func (a *audit) questions(t *transition) {
	var answered lifecycle.QuestionID
	switch e := t.rec.Event.(type) {
	case lifecycle.PermissionAsked:
		if e.Session != t.rec.Session || e.Run != t.rec.Run {
			a.fault(promiseQuestions, t.rec.Run, e.Call, "question %s is recorded as one of run %s", e.ID, a.name(e.Run))
		}
		return
	case lifecycle.PermissionGranted:
		answered = e.Question
	case lifecycle.PermissionDenied:
		answered = e.Question
	default:
		return
	}
	asked := slices.ContainsFunc(t.before.Asked, func(q lifecycle.Question) bool { return q.ID == answered })
	if answered != "" && !asked {
		a.fault(promiseQuestions, t.rec.Run, "", "%s of question %s, which is not open", lifecycle.Name(t.rec.Event), answered)
	}
}
