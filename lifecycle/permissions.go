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
		session := t.runs[id].run.Session
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
	return g.Run == "" || t.runs[g.Run] != nil && !t.runs[g.Run].run.State.Terminal()
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
