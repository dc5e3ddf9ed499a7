package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Question asks whether a tool call may go ahead.
type Question struct {
	ID      QuestionID      `json:"question"`
	Session SessionID       `json:"session"`
	Run     RunID           `json:"run"`
	Call    CallID          `json:"call"`
	Tool    string          `json:"tool"`
	Subject string          `json:"subject"`        // what exactly, in one line: a command, a path
	View    json.RawMessage `json:"view,omitempty"` // the same for people, in agent's encoding
	Who     string          `json:"who,omitempty"`  // the subagent's description; empty for the parent
	// Effect is the sort of what would happen, by the name that rules have for it.
	Effect string `json:"effect,omitempty"`
	// AlwaysAsk says why it is asked in every mode and whatever the rules allow, for a reason
	// that the subject does not show; empty if there is none.
	AlwaysAsk string `json:"delicate,omitempty"`
	// Because says why it is asked if that is not obvious, for example because of an ask rule.
	// Unlike with AlwaysAsk, a hook may allow it.
	Because string `json:"because,omitempty"`
	// Each says that the question has a reason of its own: a yes is for this call, not for
	// further ones of its tool.
	Each bool `json:"each,omitempty"`
	// Exact says that a yes for the session is for this very subject, and no other of the tool.
	Exact bool `json:"exact,omitempty"`
	// Rules are those that a yes for always would add; without any, it is not offered.
	Rules []string `json:"rules,omitempty"`
	// Why is a hook's reason to ask. If it is set, only a person may say yes, to this call
	// only, whatever rules and other grants allow.
	Why string `json:"why,omitempty"`
	// Input is the call's, for hooks. The log has it in the record of the call's start.
	Input json.RawMessage `json:"-"`
}

// GrantScope says how far a yes reaches.
type GrantScope string

// The reaches of a yes.
const (
	GrantOnce    GrantScope = "once"    // this call
	GrantDenied  GrantScope = "denied"  // what was denied, exactly, in this session while this process has it open
	GrantRun     GrantScope = "run"     // calls of this tool in this run
	GrantSession GrantScope = "session" // calls of this tool in this session, while this process has it open
	GrantAlways  GrantScope = "always"  // what the question's rules allow, kept as the user's own
)

// Answer settles a question.
type Answer struct {
	Allow  bool       `json:"allow"`
	Scope  GrantScope `json:"scope,omitempty"`
	By     Decider    `json:"by"`
	Reason string     `json:"reason,omitempty"` // told to the model with a no
}

// Decider is who allowed or denied a call.
type Decider string

// The deciders.
const (
	DeciderPerson Decider = "person"
	DeciderRule   Decider = "rule"
	DeciderHook   Decider = "hook"
	DeciderGrant  Decider = "grant"  // a person, who lifted the denial of the same call before
	DeciderNobody Decider = "nobody" // nobody was there to be asked
)

// ask puts a question to whoever may answer it and waits. If nobody may, the answer is no,
// which is kept on the run.
func (p *Port) ask(ctx context.Context, q Question) (Answer, error) {
	s, t, h := p.s, p.t, p.h
	s.mu.Lock()
	run, held := *h.run, slices.Clone(t.members[q.Session].grants)
	s.mu.Unlock()
	advice := s.options.Permissions.Consider(ctx, run, q, held)
	q.Each = advice.Each
	q.Input = nil // a record is what the journal has
	if ctx.Err() != nil {
		return Answer{}, context.Cause(ctx)
	}
	s.mu.Lock()
	answer, settled := advice.Answer, advice.Settled
	if !settled {
		answer, settled = s.settledBefore(t, h, q)
	}
	d := s.begin(t)
	d.requester, d.request = p.id, p.request
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
		d.then(func() { t.setWaking(false) }) // its answer, or its end, looks anew
	}
	c := d.commit()
	s.mu.Unlock()
	if err := c.wait(); err != nil || settled {
		s.forgetQuestion(t, q.ID)
		return answer, err
	}
	s.mu.Lock()
	run = *h.run
	s.mu.Unlock()
	s.answerIfCovered(run, q) // by a rule that came while the question was on its way
	return s.await(ctx, t, h, q.ID, bell)
}

// await waits for the answer to an open question of a run.
func (s *Supervisor) await(ctx context.Context, t *tree, h *handle, id QuestionID, bell chan Answer) (Answer, error) {
	select {
	case answer := <-bell:
		return answer, nil
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(t.questions, id)
		if h.ctx.Err() == nil { // the end of a run closes all of its questions
			s.withdrawQuestion(t, id)
		}
		return Answer{}, context.Cause(ctx)
	}
}

// withdrawQuestion closes a question whose call waits for it no longer, though its run goes on: a
// person would answer nobody, and it would hold the parent's wake-up back. The lock is held.
func (s *Supervisor) withdrawQuestion(t *tree, id QuestionID) {
	q, _, open := t.asked(id)
	if !open {
		return
	}
	d := s.begin(t)
	answer := Answer{By: DeciderNobody, Reason: "the call that asked does not wait for an answer any more"}
	if d.apply(q.Session, q.Run, outcome(q, answer)) == nil && s.startWaiting(d) == nil {
		d.commit()
	}
}

func (s *Supervisor) forgetQuestion(t *tree, id QuestionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(t.questions, id)
}

// settledBefore answers a question that needs no person. The lock is held.
func (s *Supervisor) settledBefore(t *tree, h *handle, q Question) (Answer, bool) {
	if s.options.Permissions.Reaches(t.members[q.Session].grants, q) {
		return Answer{Allow: true, By: DeciderGrant}, true
	}
	if !s.options.Attended {
		return Answer{By: DeciderNobody, Reason: "nobody is there to ask: run Pawl with a screen, or allow it by a rule or a mode"}, true
	}
	attended := h.run.OfPerson() && t.members[q.Session].attended // the person whose message started the run still looks at it
	if h.run.Background && !s.options.AskInBackground && !attended {
		return Answer{By: DeciderNobody, Reason: "a background subagent has no person to ask"}, true
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
			answer.By = DeciderPerson
		}
		answer, grants := s.options.Permissions.Settle(q, answer)
		d := s.begin(t)
		if err := d.apply(q.Session, q.Run, outcome(q, answer)); err != nil {
			return Reply{}, nil, err
		}
		if err := s.startWaiting(d); err != nil { // an open question may have held the parent back
			return Reply{}, nil, err
		}
		d.then(func() { // nobody acts on an answer that is not on disk
			delete(t.questions, id)
			t.members[q.Session].hold(grants)
			bell <- answer
		})
		return Reply{Runs: []Run{run}}, d.commit(), nil
	}
	return Reply{}, nil, fmt.Errorf("question %s: %w, or answered already", id, ErrUnknown)
}

// asked finds an open question.
func (t *tree) asked(id QuestionID) (Question, Run, bool) {
	for _, open := range t.open {
		run := t.get(open)
		for _, q := range run.Asked {
			if q.ID == id {
				return q, *run, true
			}
		}
	}
	return Question{}, Run{}, false
}
