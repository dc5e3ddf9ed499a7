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

// NeedsPerson says whether an effect is one that only a person may allow, and no program of
// theirs: it is protected, or a deny rule may be about it.
func (r Rules) NeedsPerson(effect agent.Effect) bool {
	return Protected(effect) || slices.ContainsFunc(r.Deny, func(rule Rule) bool { return rule.mightMatch(effect) != no })
}
