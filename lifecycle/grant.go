package lifecycle

import (
	"context"
	"fmt"
)

// grant is a yes that reaches further than one call: for a tool, for one subject
// of it or for all, in one run or in every run of the session. It lives as long
// as this process has the session open. It answers what would be asked, and no more:
// what a rule, the mode or a hook denies never comes to a question.
type grant struct {
	tool    string
	all     bool   // whatever the subject
	subject string // else this one alone
	run     RunID  // empty: every run
	why     string // what a hook had said of it
}

// covers says whether the yes is one to this question too. One to a whole tool is none
// to what is asked about for its own sake, and none is one to what a hook says for the
// first time: of a change to a file the subject tells nothing but the file.
func (g grant) covers(q Question, guarded bool) bool {
	if g.tool != q.Tool || g.run != "" && g.run != q.Run || q.Why != "" && q.Why != g.why {
		return false
	}
	return g.all && !guarded || !g.all && g.subject == q.Subject
}

// ask puts a question to whoever may answer it and waits. Where nobody may, the
// answer is no, and is kept on the run.
func (s *Supervisor) ask(ctx context.Context, t *tree, h *handle, q Question) (Answer, error) {
	covered := s.covers(h, q)
	guarded := s.guarded(h, q)
	q.Each = guarded
	advice := Advice{}
	if !covered {
		advice = s.advise(ctx, t, h, q, guarded)
	}
	q.Input = nil // a record is what the journal has
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	s.mu.Lock()
	answer, settled := s.settledBefore(t, h, q, guarded)
	switch {
	case covered:
		answer, settled = byRule, true
	case advice.Settled:
		answer, settled = advice.Answer, true
	}
	d := s.begin(t)
	events := append(advice.warnings(), PermissionAsked{q})
	var bell chan Answer
	if settled {
		events = append(events, outcome(q, answer))
	} else {
		bell = make(chan Answer, 1)
	}
	if err := d.applyAll(q.Session, q.Run, events...); err != nil {
		s.mu.Unlock()
		return Answer{}, err
	}
	if bell != nil {
		t.questions[q.ID] = bell
	}
	c := d.commit()
	s.mu.Unlock()
	if err := c.wait(); err != nil || settled {
		s.forgetQuestion(t, q.ID)
		return answer, err
	}
	if s.covers(h, q) { // by a rule that came while the question was on its way
		s.answerByRule(q.ID)
	}
	select {
	case answer = <-bell:
		return answer, nil
	case <-ctx.Done():
		s.forgetQuestion(t, q.ID)
		return Answer{}, context.Cause(ctx)
	}
}

// guarded says whether something is asked about for its own sake: a hook wants it, its
// file has hard links, or the rules say so. Nothing is locked.
func (s *Supervisor) guarded(h *handle, q Question) bool {
	if q.Why != "" || q.Delicate != "" {
		return true
	}
	if s.options.Guarded == nil {
		return false
	}
	s.mu.Lock()
	run := *h.run
	s.mu.Unlock()
	return s.options.Guarded(run, q)
}

func (s *Supervisor) forgetQuestion(t *tree, id QuestionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(t.questions, id)
}

// settledBefore answers what needs no person. The lock is held.
func (s *Supervisor) settledBefore(t *tree, h *handle, q Question, guarded bool) (Answer, bool) {
	if t.granted(q, guarded) {
		return Answer{Allow: true, By: "grant"}, true
	}
	if !s.options.Attended {
		return Answer{By: "nobody", Reason: "nobody is there to ask: run Pawl with a screen, or allow it by a rule or a mode"}, true
	}
	if h.run.Background && !s.options.AskInBackground && !t.accompanied(*h.run) {
		return Answer{By: "nobody", Reason: "a background subagent has no person to ask"}, true
	}
	return Answer{}, false
}

// accompanied says that the person whose word began the run looks on. The lock is held.
func (t *tree) accompanied(run Run) bool { return run.OfPerson() && t.members[run.Session].attended }

// outcome is the record of an answer.
func outcome(q Question, a Answer) Event {
	if a.Allow {
		granted := PermissionGranted{Question: q.ID, Call: q.Call, By: a.By, Scope: a.Scope}
		if a.Scope == GrantAlways {
			granted.Rules = q.Rules
		}
		return granted
	}
	return PermissionDenied{Question: q.ID, Call: q.Call, Tool: q.Tool, Subject: q.Subject, By: a.By, Reason: a.Reason}
}

// resolve takes a person's answer to an open question.
func (s *Supervisor) resolve(id QuestionID, answer Answer) (Reply, *change, error) {
	for _, t := range s.trees {
		bell, ok := t.questions[id]
		if !ok {
			continue
		}
		q, run, ok := t.asked(id)
		if !ok {
			break
		}
		if answer.By == "" {
			answer.By = "person"
		}
		if q.Each && (answer.Scope == GrantRun || answer.Scope == GrantSession) {
			answer.Scope = GrantOnce
		}
		d := s.begin(t)
		if err := d.apply(q.Session, q.Run, outcome(q, answer)); err != nil {
			return Reply{}, nil, err
		}
		if err := s.goOn(d); err != nil { // an open question may have held the parent back
			return Reply{}, nil, err
		}
		d.then(func() { // nobody acts on an answer that is not on disk
			delete(t.questions, id)
			if answer.Allow {
				t.remember(q, answer.Scope)
			}
			bell <- answer
		})
		return Reply{Runs: []Run{run}}, d.commit(), nil
	}
	return Reply{}, nil, fmt.Errorf("question %s: %w, or answered already", id, ErrUnknown)
}

// asked finds an open question.
func (t *tree) asked(id QuestionID) (Question, Run, bool) {
	for _, open := range t.open {
		run := t.runs[open].run
		for _, q := range run.Asked {
			if q.ID == id {
				return q, *run, true
			}
		}
	}
	return Question{}, Run{}, false
}

// remember keeps a yes that reaches further than its call.
func (t *tree) remember(q Question, scope GrantScope) {
	m := t.members[q.Session]
	switch scope {
	case GrantRun:
		m.grants = append(m.grants, grant{tool: q.Tool, all: true, run: q.Run})
	case GrantSession:
		m.grants = append(m.grants, grant{tool: q.Tool, all: true})
	case GrantAlways: // the rules say it
	case GrantOnce, GrantDenied, "":
	}
}
