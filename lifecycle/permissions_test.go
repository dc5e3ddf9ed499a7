package lifecycle

import (
	"context"
	"slices"
	"sync"
)

// ruleShelf is somebody who keeps rules: a rule allows the subject that it names. A yes
// is one to the tool, or to a deed that was denied.
type ruleShelf struct {
	mu     sync.Mutex
	kept   map[string]bool
	err    error                                        // of keeping more
	advice func(ctx context.Context, q Question) Advice // of hooks; nil: there are none
}

func (r *ruleShelf) Consider(ctx context.Context, run Run, q Question, held []StandingGrant) Advice {
	switch {
	case r.Covers(run, q):
		return Advice{Answer: Answer{Allow: true, By: "rule"}, Settled: true}
	case r.advice == nil || r.Reaches(held, q):
		return Advice{}
	}
	return r.advice(ctx, q)
}

func (r *ruleShelf) Covers(_ Run, q Question) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept[q.Subject]
}

func (r *ruleShelf) Keep(_ Run, q Question) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		put(&r.kept, q.Rules[0], true)
	}
	return r.err
}

func (r *ruleShelf) Reaches(held []StandingGrant, q Question) bool {
	return slices.ContainsFunc(held, func(g StandingGrant) bool {
		return g.Tool == q.Tool && (g.Run == "" || g.Run == q.Run) && (g.All || g.Subject == q.Subject)
	})
}

func (r *ruleShelf) Settle(q Question, a Answer) (Answer, []StandingGrant) {
	g := StandingGrant{Session: q.Session, Tool: q.Tool, All: a.Scope != GrantDenied}
	switch {
	case a.Scope == GrantRun:
		g.Run = q.Run
	case a.Scope == GrantDenied:
		g.Subject = q.Subject
	case a.Scope != GrantSession:
		return a, nil
	}
	return a, []StandingGrant{g}
}
