package lifecycle

import "slices"

// keepRules makes the rules of an answer for always hold, before the answer is recorded: a
// rule without a record does less harm than a record without its rule. It reports whether
// the command adds rules.
func (s *Supervisor) keepRules(command Command) (added bool, err error) {
	switch c := command.(type) {
	case Grant:
		if c.Always {
			return true, s.keepDenied(c)
		}
	case Resolve:
		if c.Answer.Allow && c.Answer.Scope == GrantAlways {
			return true, s.keepAnswered(c.Question)
		}
	default:
	}
	return false, nil
}

func (s *Supervisor) keepAnswered(id QuestionID) error {
	q, run, open := s.openQuestion(id)
	switch {
	case !open:
		return nil // resolve says so
	case len(q.Rules) == 0:
		return errNoRule
	}
	return s.options.Permissions.Keep(run, q)
}

// keepDenied keeps the rules of what was denied. Each call that it lifts must have some: a
// yes for always that is kept in part is not what was answered.
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
	var open []Run
	for _, t := range s.trees {
		open = append(open, t.Live()...)
	}
	s.mu.Unlock()
	for _, run := range open {
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
