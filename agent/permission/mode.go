// Package permission decides which effects of a tool call go ahead, which are
// asked about, and which are refused.
//
//	effect ──► Decide(mode, effect) ──► Allow ──► the call runs
//	                                ├─► Ask ────► a person, through the supervisor
//	                                └─► Deny ───► the model is told why
package permission

import (
	"fmt"
	"strings"

	"pawl/agent"
)

// Mode is how freely a session may act.
type Mode string

// The modes of section 10.
const (
	Default     Mode = "default"      // reads are free, the rest asks
	AcceptEdits Mode = "accept-edits" // file changes are free too
	Plan        Mode = "plan"         // reads only: a ceiling
	Bypass      Mode = "bypass"       // nothing asks
)

// Modes lists all of them.
func Modes() []Mode { return []Mode{Default, AcceptEdits, Plan, Bypass} }

// ParseMode reads a mode by its name. The error lists the names.
func ParseMode(name string) (Mode, error) {
	var names []string
	for _, mode := range Modes() {
		if string(mode) == name {
			return mode, nil
		}
		names = append(names, string(mode))
	}
	return "", fmt.Errorf("permission mode %q: it is one of %s", name, strings.Join(names, ", "))
}

// Decision is what is to be done about an effect.
type Decision int

// The decisions. The zero value asks, so that what was forgotten is not allowed.
const (
	Ask Decision = iota
	Allow
	Deny
)

// Decide is pure. reason is for the model, with Deny.
func Decide(mode Mode, effect agent.Effect) (decision Decision, reason string) {
	if effect.Kind == agent.EffectRead {
		return Allow, ""
	}
	switch mode {
	case Plan:
		return Deny, "the session is in plan mode, which only reads: say in your answer what you would change"
	case Bypass:
		return Allow, ""
	case AcceptEdits:
		if effect.Kind == agent.EffectEdit {
			return Allow, ""
		}
		return Ask, ""
	case Default:
		return Ask, ""
	}
	return Ask, ""
}
