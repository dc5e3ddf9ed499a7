package lifecycle

import (
	"fmt"
	"slices"
)

// StandingGrant is a yes of a person that is in force for more than the call it was
// said to, until it is revoked, its run has ended or this process closes the session.
type StandingGrant struct {
	Session SessionID
	Run     RunID // empty: every run of the session
	Tool    string
	Subject string // where it is not for all: this one alone
	All     bool   // every call of the tool
	// Why is what a hook had said of the call. It is no part of what people are shown, for
	// they take a grant back whatever was said.
	Why string
}

// shown is a grant as a person sees it and takes it back.
func (g StandingGrant) shown() StandingGrant {
	g.Why = ""
	return g
}

// hold keeps what stands in a session from now on. The lock is held.
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

// inForce says that a grant may still cover a call.
func (t *tree) inForce(g StandingGrant) bool {
	return g.Run == "" || t.runs[g.Run] != nil && !t.runs[g.Run].run.State.Terminal()
}

// Revoke takes a standing grant back: the next call that it covered is asked about
// again. What it has allowed already goes on. ErrUnknown says that it is not in force.
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
