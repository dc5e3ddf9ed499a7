package permission

import (
	"slices"

	"pawl/agent"
)

// Protected reports whether an effect is asked about each time, whatever a rule or the
// mode allows: it changes git's or Pawl's own files, or is delicate for another reason.
func Protected(effect agent.Effect) bool {
	return effect.Delicate != "" || effect.Kind == agent.EffectEdit && protected(effect.Subject)
}

// NeedsPerson reports whether only a person may allow an effect, and no program for them:
// it is protected, or a deny rule might match it.
func (r Rules) NeedsPerson(effect agent.Effect) bool {
	return Protected(effect) || slices.ContainsFunc(r.Deny, func(rule Rule) bool { return rule.mightMatch(effect) != no })
}
