package permission

import (
	"slices"

	"pawl/agent"
)

// Protected says whether an effect is one that is asked about each time, whatever a rule
// or the mode allows: on git's and Pawl's own files, or delicate for another reason.
func Protected(effect agent.Effect) bool {
	return effect.Delicate != "" || effect.Kind == agent.EffectEdit && protected(effect.Subject)
}

// Personal says whether an effect is one that only a person may allow, and no program of
// theirs: it is denied, a deny rule may be about it, or it is protected.
func (r Rules) Personal(mode Mode, effect agent.Effect) bool {
	decision, _ := r.Decide(mode, effect)
	return decision == Deny || Protected(effect) || slices.ContainsFunc(r.Deny, func(rule Rule) bool { return rule.wide(effect) != no })
}

// Guarded says whether even bypass would not allow an effect: an ask rule says so, a deny
// rule is or might be about it, or it is protected. A yes to other effects is none to it.
func (r Rules) Guarded(effect agent.Effect) bool {
	decision, _ := r.Decide(Bypass, effect)
	return decision != Allow
}
