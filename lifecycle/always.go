package lifecycle

// byRule is the answer where the user's rules need no person.
var byRule = Answer{Allow: true, By: "rule"}

// covers asks the rules about an open question or one that is to come. Nothing is
// locked: whoever keeps the rules may read a file.
func (s *Supervisor) covers(h *handle, q Question) bool {
	if s.options.Covers == nil || q.Why != "" {
		return false
	}
	s.mu.Lock()
	run := *h.run
	s.mu.Unlock()
	return s.options.Covers(run, q)
}

// keep makes the rules of an answer for always hold, before the answer is recorded:
// a record of what is not so would be worse than a rule without one.
func (s *Supervisor) keep(command Command) error {
	if grant, is := command.(Grant); is && grant.Always {
		return s.keepDenied(grant)
	}
	answered, is := command.(Resolve)
	if !is || !answered.Answer.Allow || answered.Answer.Scope != GrantAlways {
		return nil
	}
	q, run, open := s.openQuestion(answered.Question)
	switch {
	case !open:
		return nil // resolve says so
	case len(q.Rules) == 0 || s.options.Keep == nil:
		return errNoRule
	}
	return s.options.Keep(run, q)
}

// ruled reports whether a command adds rules.
func ruled(command Command) bool {
	if grant, is := command.(Grant); is {
		return grant.Always
	}
	answered, is := command.(Resolve)
	return is && answered.Answer.Scope == GrantAlways
}

func (s *Supervisor) openQuestion(id QuestionID) (Question, Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.trees {
		if q, run, open := t.asked(id); open {
			return q, run, true
		}
	}
	return Question{}, Run{}, false
}

// settleCovered answers the questions that wait and that the rules cover by now.
func (s *Supervisor) settleCovered() {
	if s.options.Covers == nil {
		return
	}
	s.mu.Lock()
	var waiting []Run
	for _, t := range s.trees {
		for _, id := range t.open {
			if run := t.runs[id].run; len(run.Asked) > 0 {
				waiting = append(waiting, *run)
			}
		}
	}
	s.mu.Unlock()
	for _, run := range waiting {
		for _, q := range run.Asked {
			if q.Why == "" && s.options.Covers(run, q) {
				s.answerByRule(q.ID)
			}
		}
	}
}

// answerByRule answers, unless somebody has done so meanwhile.
func (s *Supervisor) answerByRule(id QuestionID) {
	s.mu.Lock()
	_, c, err := s.resolve(id, byRule)
	s.mu.Unlock()
	if err == nil {
		_ = c.wait() // what could not be recorded is asked about still
	}
}
