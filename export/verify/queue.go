package verify

import (
	"slices"

	"pawl/lifecycle"
)

// queue: a message is queued once, and taken in or withdrawn once.
func (a *audit) queue(m *turn) {
	h := a.halls[m.rec.Session]
	if e, queued := m.rec.Event.(lifecycle.MessageQueued); queued {
		if slices.ContainsFunc(h.inbox, func(other lifecycle.Message) bool { return other.ID == e.ID }) {
			a.fault(promiseQueue, m.rec.Run, "", "message %s is queued already", e.ID)
			return
		}
	}
	waiting := h.inbox
	inbox, err := waiting.Apply(m.rec.Event)
	if err != nil {
		a.fault(promiseQueue, m.rec.Run, "", "%s: %v", lifecycle.Name(m.rec.Event), err)
		return
	}
	if e, taken := m.rec.Event.(lifecycle.MessageTaken); taken {
		for _, message := range waiting {
			if message.ID == e.Message && message.Text != e.Text {
				a.fault(promiseQueue, m.rec.Run, "", "message %s was delivered with a different text", e.Message)
			}
		}
		if e.Step != m.after.Step {
			a.fault(promiseQueue, m.rec.Run, "", "message %s was delivered at step %d, but the run is at step %d", e.Message, e.Step, m.after.Step)
		}
	}
	h.inbox = inbox
	a.taken(m, h)
}

// taken: a step takes in all that waits for it, at once, and a run leaves nothing waiting
// that no later one takes.
func (a *audit) taken(m *turn, h *sessionAudit) {
	switch e := m.rec.Event.(type) {
	case lifecycle.StepStarted:
		h.ready = nil
		for _, message := range h.inbox {
			h.ready = append(h.ready, message.ID)
		}
		return
	case lifecycle.MessageTaken:
		h.ready = slices.DeleteFunc(h.ready, func(id lifecycle.MessageID) bool { return id == e.Message })
		return
	case lifecycle.Ended:
		stopped := e.State != lifecycle.StateCompleted && e.State != lifecycle.StateCompletedEmpty && e.State != lifecycle.StateFailed
		if stopped && len(h.inbox) > 0 {
			a.fault(promiseQueue, m.rec.Run, "", "it is %s, but message %s is still queued", e.State, h.inbox[0].ID)
		}
	default:
	}
	if len(h.ready) > 0 {
		a.fault(promiseQueue, m.rec.Run, "", "message %s was queued, but not delivered at step %d", h.ready[0], m.after.Step)
		h.ready = nil
	}
}
