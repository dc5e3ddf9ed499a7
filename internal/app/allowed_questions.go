package app

import (
	"errors"
	"slices"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// errOtherRules is the answer to a yes for rules that are not the ones of today.
var errOtherRules = errors.New("no rule covers exactly this call any more: allow it once, for the run or for the session")

func effectOf(q lifecycle.Question) agent.Effect {
	return agent.Effect{Kind: agent.EffectKind(q.Effect), Subject: q.Subject, Delicate: q.Delicate}
}

// covers is lifecycle.Options': whether today's rules allow what a run asks about.
func (h *Session) covers(run lifecycle.Run, q lifecycle.Question) bool {
	r, err := h.rules(run)
	if err != nil || q.Effect == "" { // of nothing that rules know, a mode would allow all
		return false
	}
	left := r.permit(effectOf(q))
	return left.Allow && left.Environ == nil // a condition cannot be put on what was asked about
}

// keepRules is lifecycle.Options': a yes for always. What is kept is proposed anew from
// what is asked about: a question may have come out of another process, and the rules
// that bind it may be others by now.
func (h *Session) keepRules(run lifecycle.Run, q lifecycle.Question) error {
	r, err := h.rules(run)
	if err != nil {
		return err
	}
	proposed := r.today().Propose(r.mode(), effectOf(q))
	if len(proposed) == 0 || !slices.Equal(r.propose(effectOf(q)), q.Rules) {
		return errOtherRules
	}
	return h.Allowed.Add(proposed)
}

// askedEach is lifecycle.Options' Guarded: what is asked about for its own sake, and not
// because nothing allows it. A type that is gone bounds nothing, so all is.
func (h *Session) askedEach(run lifecycle.Run, q lifecycle.Question) bool {
	r, err := h.rules(run)
	return err != nil || r.each(effectOf(q))
}

// each reports whether even bypass would ask: an ask rule says so, a deny rule might
// hold, or it is one of Pawl's own or git's files.
func (r rules) each(effect agent.Effect) bool {
	decision, _ := r.today().Decide(permission.Bypass, effect)
	return decision != permission.Allow
}

// personal reports whether a person alone may allow an effect, and no program of
// theirs: today's rules or mode refuse it by now, a deny rule might hold, it is on files
// of git's or Pawl's own, the folder is not trusted, or nothing would confine it.
func (r rules) personal(effect agent.Effect) bool {
	decision, _ := r.today().Decide(r.mode(), effect)
	return decision == permission.Deny || r.today().NeedsPerson(effect) || r.distrusted(effect) || r.unconfined(effect)
}
