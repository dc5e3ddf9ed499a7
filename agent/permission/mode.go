package permission

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
)

// Mode is how freely a session may act.
type Mode string

// The modes.
const (
	Default     Mode = "default"      // reads are free, everything else asks
	AcceptEdits Mode = "accept-edits" // edits are free too
	Plan        Mode = "plan"         // reads only, whatever the rules allow
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
	return "", fmt.Errorf("permission mode %q: must be one of %s", name, strings.Join(names, ", "))
}

// Stricter returns the stricter of two modes. An empty mode is no limit; an unknown one is
// the strictest.
func Stricter(a, b Mode) Mode {
	if a == "" || b != "" && rank(b) < rank(a) {
		return b
	}
	return a
}

// rank orders the modes, strictest first.
func rank(m Mode) int { return slices.Index([]Mode{Plan, Default, AcceptEdits, Bypass}, m) }

// Decision is what is to be done about an effect.
type Decision int

// The decisions. The zero value asks, so that an omission never allows anything.
const (
	Ask Decision = iota
	Allow
	Deny
)

// Decide applies the mode alone. With Deny, reason is for the model.
func Decide(mode Mode, effect agent.Effect) (decision Decision, reason string) {
	if effect.Kind == agent.EffectRead {
		return Allow, ""
	}
	switch {
	case mode == Plan:
		return Deny, "the session is in plan mode, which only reads: say in your answer what you would change"
	case mode == Bypass, mode == AcceptEdits && effect.Kind == agent.EffectEdit:
		return Allow, ""
	}
	return Ask, ""
}
