package app

import (
	"pawl/agent"
	"pawl/agent/permission"
)

// noSandbox is why a background run is not given a shell by a mode.
const noSandbox = "no sandbox confines commands here, and without one a background run can use the shell only if one of the user's allow rules says so"

// unconfined says that a command which is allowed would run with nobody there, with
// no sandbox, and by no rule, but by the mode alone.
func (r rules) unconfined(effect agent.Effect) bool {
	if !r.Alone || effect.Kind != agent.EffectShell || r.Sandbox.InForce() {
		return false
	}
	decision, _ := r.today().Decide(permission.Default, effect)
	return decision != permission.Allow
}
