package lifecycle

import "context"

// Advice is what programs of the user's say of a question before anybody is asked.
type Advice struct {
	Answer   Answer
	Settled  bool     // Answer is one; else whoever may answers
	Warnings []string // a line each, kept on the run
}

// advise asks them, unless a grant has answered already. Nothing is locked meanwhile.
func (s *Supervisor) advise(ctx context.Context, t *tree, h *handle, q Question, guarded bool) Advice {
	if s.options.Advise == nil {
		return Advice{}
	}
	s.mu.Lock()
	run := *h.run
	granted := t.granted(q, guarded)
	s.mu.Unlock()
	if granted {
		return Advice{}
	}
	advice := s.options.Advise(ctx, run, q)
	if q.Why != "" && advice.Answer.Allow { // that is a person's to say
		advice.Settled = false
	}
	return advice
}

// granted says whether a person's earlier yes reaches this question. The lock is held.
func (t *tree) granted(q Question, guarded bool) bool {
	for _, g := range t.members[q.Session].grants {
		if g.covers(q, guarded) {
			return true
		}
	}
	return false
}

// warnings are the records of what went wrong.
func (a Advice) warnings() []Event {
	var events []Event
	for _, line := range a.Warnings {
		events = append(events, Warned{Kind: WarnHook, Message: line})
	}
	return events
}
