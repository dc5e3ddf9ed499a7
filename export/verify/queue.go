package verify

import (
	"slices"

	"pawl/lifecycle"
)

// queue: a message is queued once, and taken in or withdrawn once.
func (a *audit) queue(t *transition) {
	s := a.sessions[t.rec.Session]
	if e, queued := t.rec.Event.(lifecycle.MessageQueued); queued {
		if slices.ContainsFunc(s.inbox, func(other lifecycle.Message) bool { return other.ID == e.ID }) {
			a.fault(promiseQueue, t.rec.Run, "", "message %s is queued already", e.ID)
			return
		}
	}
	waiting := s.inbox
	inbox, err := waiting.Apply(t.rec.Event)
	if err != nil {
		a.fault(promiseQueue, t.rec.Run, "", "%s: %v", lifecycle.Name(t.rec.Event), err)
		return
	}
	if e, taken := t.rec.Event.(lifecycle.MessageTaken); taken {
		for _, message := range waiting {
			if message.ID == e.Message && message.Text != e.Text {
				a.fault(promiseQueue, t.rec.Run, "", "message %s was delivered with a different text", e.Message)
			}
		}
		if e.Step != t.after.Step {
			a.fault(promiseQueue, t.rec.Run, "", "message %s was delivered at step %d, but the run is at step %d", e.Message, e.Step, t.after.Step)
		}
	}
	s.inbox = inbox
	a.taken(t, s)
}

// taken: a step takes in all that waits for it, at once, and a run leaves nothing waiting
// that no later one takes.
func (a *audit) taken(t *transition, s *sessionAudit) {
	switch e := t.rec.Event.(type) {
	case lifecycle.StepStarted:
		s.ready = nil
		for _, message := range s.inbox {
			s.ready = append(s.ready, message.ID)
		}
		return
	case lifecycle.MessageTaken:
		s.ready = slices.DeleteFunc(s.ready, func(id lifecycle.MessageID) bool { return id == e.Message })
		return
	case lifecycle.Ended:
		stopped := e.State != lifecycle.StateCompleted && e.State != lifecycle.StateCompletedEmpty && e.State != lifecycle.StateFailed
		if stopped && len(s.inbox) > 0 {
			a.fault(promiseQueue, t.rec.Run, "", "it is %s, but message %s is still queued", e.State, s.inbox[0].ID)
		}
	default:
	}
	if len(s.ready) > 0 {
		a.fault(promiseQueue, t.rec.Run, "", "message %s was queued, but not delivered at step %d", s.ready[0], t.after.Step)
		s.ready = nil
	}
}
