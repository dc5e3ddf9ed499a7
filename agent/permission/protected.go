package permission

import (
	"slices"

	"pawl/agent"
)

// Protected reports whether an effect is asked about each time, whatever a rule or the
// mode allows: it changes git's or Pawl's own files, or the tool has another reason to ask.
func Protected(effect agent.Effect) bool {
	return effect.AlwaysAsk != "" || effect.Kind == agent.EffectEdit && protected(effect.Subject)
}

// NeedsPerson reports whether only a person may allow an effect, and no program for them:
// it is denied, a deny rule might match it, or it is protected.
func (r Rules) NeedsPerson(mode Mode, effect agent.Effect) bool {
	decision, _ := r.Decide(mode, effect)
	return decision == Deny || Protected(effect) || slices.ContainsFunc(r.Deny, func(rule Rule) bool { return rule.mightMatch(effect) != no })
}

// Guarded reports whether even bypass mode would not allow an effect: an ask rule matches,
// a deny rule matches or might, or it is protected. A yes to other effects does not cover it.
func (r Rules) Guarded(effect agent.Effect) bool {
	decision, _ := r.Decide(Bypass, effect)
	return decision != Allow
}
