package lifecycle

import "slices"

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
	case len(q.Rules) == 0:
		return errNoRule
	}
	return s.options.Permissions.Keep(run, q)
}

// keepDenied is keep for what was denied. Each deed must have its rules: a yes for
// always that is kept in part is not what was answered.
func (s *Supervisor) keepDenied(c Grant) error {
	s.mu.Lock()
	t, m, err := s.member(c.Session)
	var lifted []Refusal
	var runs []Run
	if err == nil {
		lifted, err = t.chosen(m, c)
	}
	for _, r := range lifted {
		runs = append(runs, *t.runs[r.Run].run)
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(lifted, func(r Refusal) bool { return len(r.Rules) == 0 }) {
		return errNoRule
	}
	for i, r := range lifted {
		if err := s.options.Permissions.Keep(runs[i], r.question(c.Session)); err != nil {
			return err
		}
	}
	return nil
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
			s.answerIfCovered(run, q)
		}
	}
}

// answerIfCovered answers a question that the rules cover by now, unless somebody has done
// so meanwhile. Nothing is locked.
func (s *Supervisor) answerIfCovered(run Run, q Question) {
	if !s.options.Permissions.Covers(run, q) {
		return
	}
	s.mu.Lock()
	_, c, err := s.resolve(q.ID, Answer{Allow: true, By: "rule"})
	s.mu.Unlock()
	if err == nil {
		_ = c.wait() // what could not be recorded is asked about still
	}
}
