package app

import (
	"errors"
	"slices"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// errOtherRules is the error of the answer "always" if the rules to add have changed since the
// question.
var errOtherRules = errors.New("no rule covers exactly this call any more: allow it once, for the run or for the session")

func effectOf(q lifecycle.Question) agent.Effect {
	return agent.Effect{Kind: agent.EffectKind(q.Effect), Subject: q.Subject, Delicate: q.Delicate}
}

// covers implements lifecycle.Options.Covers: whether today's rules allow what a run asks about.
func (h *Session) covers(run lifecycle.Run, q lifecycle.Question) bool {
	r, err := h.rules(run)
	if err != nil || q.Effect == "" { // a mode would allow an effect that rules do not know
		return false
	}
	left := r.permit(effectOf(q))
	return left.Allow && left.Environ == nil // an answered call cannot be given an environment
}

// keepRules implements lifecycle.Options.Keep: the answer "always". The rules are proposed again
// from the question: it may come from another process, and the rules of its run may have
// changed.
func (h *Session) keepRules(run lifecycle.Run, q lifecycle.Question) error {
	r, err := h.rules(run)
	if err != nil {
		return err
	}
	proposed := r.current().Propose(r.mode(), effectOf(q))
	if len(proposed) == 0 || !slices.Equal(r.propose(effectOf(q)), q.Rules) {
		return errOtherRules
	}
	return h.Allowed.Add(proposed)
}

// askedEach implements lifecycle.Options.Guarded: whether a call is asked about for its own
// sake, and not just because nothing allows it. That includes all calls of a type that no longer
// exists, for it has no bounds.
func (h *Session) askedEach(run lifecycle.Run, q lifecycle.Question) bool {
	r, err := h.rules(run)
	return err != nil || r.asksEach(effectOf(q))
}

// asksEach reports whether even bypass would ask: because of an ask rule, because a deny rule might
// match, or for files of Pawl's own or git's.
func (r rules) asksEach(effect agent.Effect) bool {
	decision, _ := r.current().Decide(permission.Bypass, effect)
	return decision != permission.Allow
}

// personal reports whether only a person may allow an effect, and none of their programs:
// today's rules or mode refuse it, a deny rule might match, it concerns files of git's or Pawl's
// own, the folder is not trusted, or no sandbox would confine it.
func (r rules) personal(effect agent.Effect) bool {
	decision, _ := r.current().Decide(r.mode(), effect)
	return decision == permission.Deny || r.current().Personal(effect) || r.distrusted(effect) || r.unconfined(effect)
}
