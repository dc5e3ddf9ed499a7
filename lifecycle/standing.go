package lifecycle

import (
	"fmt"
	"slices"
)

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
