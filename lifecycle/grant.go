package lifecycle

import (
	"context"
	"fmt"
	"strings"
)

// grant is a yes that reaches further than one call: for a tool, for one subject
// of it or for all, in one run or in every run of the session. It lives as long
// as this process has the session open.
type grant struct {
	tool    string
	subject string // empty: any
	run     RunID  // empty: every run
}

// covers says whether the yes is one to this question too. What is delicate is asked
// about each time: a yes for a tool was given for another subject.
func (g grant) covers(q Question) bool {
	if g.tool != q.Tool || g.run != "" && g.run != q.Run {
		return false
	}
	if g.subject != "" {
		return g.subject == q.Subject
	}
	return q.Delicate == "" && q.Why == "" // a hook's question is about this call, not about its tool
}

// ask puts a question to whoever may answer it and waits. Where nobody may, the
// answer is no, and is kept on the run.
func (s *Supervisor) ask(ctx context.Context, t *tree, h *handle, q Question) (Answer, error) {
	covered := s.covers(h, q)
	advice := Advice{}
	if !covered {
		advice = s.advise(ctx, t, h, q)
	}
	q.Input = nil // a record is what the journal has
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	s.mu.Lock()
	answer, settled := s.settledBefore(t, h, q)
	switch {
	case covered:
		answer, settled = byRule, true
	case advice.Settled:
		answer, settled = advice.Answer, true
	}
	d := s.knock(t)
	events := append(advice.warnings(), PermissionAsked{q})
	var bell chan Answer
	if settled {
		events = append(events, outcome(q, answer))
	} else {
		bell = make(chan Answer, 1)
	}
	if err := d.marks(q.Session, q.Run, events...); err != nil {
		s.mu.Unlock()
		return Answer{}, err
	}
	if bell != nil {
		t.questions[q.ID] = bell
	}
	c := d.enter()
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

func (s *Supervisor) forgetQuestion(t *tree, id QuestionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(t.questions, id)
}

// settledBefore answers what needs no person. The lock is held.
func (s *Supervisor) settledBefore(t *tree, h *handle, q Question) (Answer, bool) {
	if t.granted(q) {
		return Answer{Allow: true, By: "grant"}, true
	}
	if !s.options.Attended {
		return Answer{By: "nobody", Reason: "nobody is there to ask: run Pawl with a screen, or allow it by a rule or a mode"}, true
	}
	if h.run.Background && !s.options.AskInBackground {
		return Answer{By: "nobody", Reason: "a background subagent has no person to ask"}, true
	}
	return Answer{}, false
}

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
		d := s.knock(t)
		if err := d.mark(q.Session, q.Run, outcome(q, answer)); err != nil {
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
		return Reply{Runs: []Run{run}}, d.enter(), nil
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
		m.grants = append(m.grants, grant{tool: q.Tool, run: q.Run})
	case GrantSession:
		m.grants = append(m.grants, grant{tool: q.Tool})
	case GrantAlways: // the rules say it
	case GrantOnce, "":
	}
}

// grantable says whether a person may lift a denial: what a rule or a hook
// refused stays refused, whoever is asked.
func (d Denial) grantable() bool { return d.By == "nobody" || d.By == "person" }

// grantDenied allows what was denied to the latest run of a subagent, and tells
// it to try again. Those are no words of a person: a model wrote what was denied, and
// a file that is named there goes along with nothing.
func (s *Supervisor) grantDenied(session SessionID) (Reply, *change, error) {
	t, m, err := s.member(session)
	if err != nil {
		return Reply{}, nil, err
	}
	run := t.runs[m.latest].run
	if len(run.Denials) == 0 {
		return Reply{}, nil, fmt.Errorf("nothing was denied to %q", run.Description)
	}
	var lines []string
	var grants []grant
	for _, denial := range run.Denials {
		if denial.grantable() {
			grants = append(grants, grant{tool: denial.Tool, subject: denial.Subject})
			lines = append(lines, denial.Tool+" "+denial.Subject)
		}
	}
	if len(grants) == 0 {
		return Reply{}, nil, fmt.Errorf("what was denied to %q was denied by a rule or a hook: change that", run.Description)
	}
	text := "The user now allows what was denied before: " + strings.Join(lines, "; ") + ". Try again."
	return s.send(session, said{from: FromPawl, text: text, then: func() { m.grants = append(m.grants, grants...) }})
}
