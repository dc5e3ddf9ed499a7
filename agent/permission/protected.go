package permission

import "pawl/agent"

// Protected says whether an effect is one that only a person may allow: on git's and
// Pawl's own files, or delicate for another reason.
func Protected(effect agent.Effect) bool {
	return effect.Delicate != "" || effect.Kind == agent.EffectEdit && protected(effect.Subject)
}
