package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Permissions decides which questions need no person, and what a person's answer means for
// later ones. The supervisor only asks, waits, records the answers and keeps the standing
// grants.
//
// Consider, Covers and Keep are called without the supervisor's lock, from any goroutine and
// several at once. They may read files. Reaches and Settle are called under that lock: they
// are pure functions.
type Permissions interface {
	// Consider is called before anybody is asked. held are the standing grants of the session.
	// It may run programs, and returns promptly when ctx ends; its result is then ignored.
	Consider(ctx context.Context, run Run, q Question, held []StandingGrant) Advice
	// Covers reports whether the user's current rules allow what a question is about. It is
	// called when a question begins to wait, and for each waiting one when a rule is added.
	Covers(run Run, q Question) bool
	// Keep adds the rules of a question, which has some, to the user's own for good. It is
	// called before the answer is recorded; its error prevents that.
	Keep(run Run, q Question) error
	// Reaches reports whether a standing grant of its session answers a question with yes. It
	// is called again after Consider, because there may be new grants.
	Reaches(held []StandingGrant, q Question) bool
	// Settle returns an answer as it is recorded and given to the run, and the grants that
	// stand once that is on disk.
	Settle(q Question, a Answer) (Answer, []StandingGrant)
}

// Advice is what is known of a question before anybody is asked.
type Advice struct {
	Answer   Answer
	Settled  bool     // Answer counts; else somebody has to be asked
	Each     bool     // as of Question
	Warnings []string // a line for each failure of the user's programs, kept on the run
}

// warnings are the records of the warnings.
func (a Advice) warnings() []Event {
	var events []Event
	for _, line := range a.Warnings {
		events = append(events, Warned{Kind: WarnHook, Message: line})
	}
	return events
}

// errNoRule reports a yes for always to a question without rules.
var errNoRule = errors.New("no rule covers exactly this call: allow it once, for the run or for the session")

// noPermissions is for a user without rules: a person answers each question, and each yes is for one call.
type noPermissions struct{}

func (noPermissions) Consider(context.Context, Run, Question, []StandingGrant) Advice {
	return Advice{}
}
func (noPermissions) Covers(Run, Question) bool                             { return false }
func (noPermissions) Keep(Run, Question) error                              { return errNoRule }
func (noPermissions) Reaches([]StandingGrant, Question) bool                { return false }
func (noPermissions) Settle(_ Question, a Answer) (Answer, []StandingGrant) { return a, nil }

// StandingGrant is a yes of a person that covers more than the call that was asked about, until
// it is revoked, its run has ended or this process closes the session.
type StandingGrant struct {
	Session SessionID
	Run     RunID // empty: every run of the session
	Tool    string
	Subject string // if it is not for all: only this one
	All     bool   // every call of the tool
	// Why is a hook's reason to ask about the call. People are not shown it, since it does not
	// matter when they revoke a grant.
	Why string
}

// shown is a grant as a person sees and revokes it.
func (g StandingGrant) shown() StandingGrant {
	g.Why = ""
	return g
}

// hold adds standing grants of a session. The lock is held.
func (m *member) hold(grants []StandingGrant) { m.grants = append(m.grants, grants...) }

// StandingGrants lists what is in force in a root session, each once: the root's own
// first, then those of its subagents in the order in which these began.
func (s *Supervisor) StandingGrants(root SessionID) []StandingGrant {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, open := s.trees[root]
	if !open {
		return nil
	}
	var all []StandingGrant
	seen := map[SessionID]bool{}
	for _, id := range t.order {
		session := t.get(id).Session
		if seen[session] {
			continue
		}
		seen[session] = true
		for _, g := range t.members[session].grants {
			if t.inForce(g) && !slices.Contains(all, g.shown()) {
				all = append(all, g.shown())
			}
		}
	}
	return all
}

// inForce reports whether a grant may still cover a call.
func (t *tree) inForce(g StandingGrant) bool {
	run := t.get(g.Run)
	return g.Run == "" || run.ID != "" && !run.State.Terminal()
}

// Revoke ends a standing grant: the next call that it covered is asked about again. Calls that
// it has allowed go on. The error is ErrUnknown if it is not in force.
func (s *Supervisor) Revoke(root SessionID, standing StandingGrant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, open := s.trees[root]
	if !open || t.members[standing.Session] == nil {
		return fmt.Errorf("session %s: %w", standing.Session, ErrUnknown)
	}
	m := t.members[standing.Session]
	had := len(m.grants)
	m.grants = slices.DeleteFunc(m.grants, func(g StandingGrant) bool { return g.shown() == standing.shown() })
	if len(m.grants) == had {
		return fmt.Errorf("the grant of %s: %w, or revoked already", standing.Tool, ErrUnknown)
	}
	return nil
}

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
		runs = append(runs, t.Run(r.Run))
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
	_, c, err := s.resolve(q.ID, Answer{Allow: true, By: DeciderRule})
	s.mu.Unlock()
	if err == nil {
		_ = c.wait() // what could not be recorded is asked about still
	}
}
