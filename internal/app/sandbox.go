package app

import (
	"pawl/agent"
	"pawl/agent/permission"
)

// noSandbox is why a mode does not allow a background run's commands.
const noSandbox = "no sandbox confines commands here, and without one a background run can use the shell only if one of the user's allow rules says so"

// unconfined reports that a command would run with nobody watching, without a sandbox, and
// allowed only by the mode, not by a rule.
func (r rules) unconfined(effect agent.Effect) bool {
	if !r.Alone || effect.Kind != agent.EffectShell || r.Sandbox.InForce() {
		return false
	}
	decision, _ := r.current().Decide(permission.Default, effect)
	return decision != permission.Allow
}
