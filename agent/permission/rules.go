package permission

import (
	"cmp"
	"fmt"
	"slices"

	"pawl/agent"
)

// Rules are the user's. The strictest one that matches wins, in any order.
type Rules struct {
	Deny  []Rule      `toml:"deny" json:"deny,omitempty"`
	Ask   []AskRule   `toml:"ask" json:"ask,omitempty"`
	Allow []AllowRule `toml:"allow" json:"allow,omitempty"`
	// Sandboxed says what happens to a command that no rule speaks about: SandboxedAsk, which is
	// the default, or SandboxedAllow. The caller sees to the sandbox.
	Sandboxed string `toml:"sandboxed" json:"sandboxed,omitempty"`
	// Own also lets a run edit files, and commit them with lines that do nothing else. The
	// caller sets it only in a git worktree that Pawl made for the run, where just its own
	// branch can change.
	Own bool `toml:"-" json:"-"`
}

// The values of Rules.Sandboxed.
const (
	SandboxedAsk   = "ask"
	SandboxedAllow = "allow" // it runs without a question in the closed sandbox, where that is whole
)

// Decide has no side effects. With Deny, reason is for the model. With Ask it tells the
// person why they are asked although a rule or the mode might allow it; it is empty if
// either could prevent the question. No rule lifts plan mode. Bypass mode still asks where
// an ask rule matches, where a deny rule might, and about protected files.
func (r Rules) Decide(mode Mode, effect agent.Effect) (decision Decision, reason string) {
	ask := ""
	for _, rule := range r.Deny {
		switch rule.mightMatch(effect) {
		case yes:
			return Deny, fmt.Sprintf("the user's rule %s denies it", rule)
		case maybe:
			ask = cmp.Or(ask, fmt.Sprintf("the user's rule %s may deny it", rule))
		case no:
		}
	}
	if decision, reason := Decide(mode, effect); decision == Deny {
		return decision, reason
	}
	for _, rule := range r.Ask {
		if rule.mightMatch(effect) != no {
			ask = cmp.Or(ask, fmt.Sprintf("the user's rule %s asks about it", rule.Rule))
		}
	}
	if effect.Kind == agent.EffectEdit && protected(effect.Subject) {
		return Ask, "files of git's and Pawl's own, which can run programs, are asked about in every mode"
	}
	if reason := cmp.Or(effect.AlwaysAsk, ask); reason != "" {
		return Ask, reason
	}
	if r.allow(effect) {
		return Allow, ""
	}
	return Decide(mode, effect)
}

// allow reports whether the allow rules cover all of an effect. Each command of a line may
// be covered by a different rule.
func (r Rules) allow(effect agent.Effect) bool {
	if effect.Kind != agent.EffectShell {
		return r.Own && effect.Kind == agent.EffectEdit ||
			slices.ContainsFunc(r.Allow, func(rule AllowRule) bool { return rule.plainlyMatches(effect) })
	}
	commands, plain := plainCommands(effect.Subject)
	if r.Own && plain && !slices.ContainsFunc(commands, func(c command) bool { return !c.onlyCommits() }) {
		return true
	}
	return plain && !slices.ContainsFunc(commands, func(c command) bool { return !r.allowCommand(c) })
}

func (r Rules) allowCommand(c command) bool {
	return slices.ContainsFunc(r.Allow, func(rule AllowRule) bool {
		pattern, ok := rule.match.(commandPattern)
		return ok && pattern.covers(c)
	})
}

// HidesFiles reports whether a rule denies reading some file.
func (r Rules) HidesFiles() bool {
	return slices.ContainsFunc(r.Deny, func(rule Rule) bool { return rule.kind == agent.EffectRead })
}

// Reading returns nil if a file may be read, or an error that names the rule that denies it.
// The path is as in the subject of an edit.
func (r Rules) Reading(path string) error {
	for _, rule := range r.Deny {
		if rule.mightMatch(agent.Effect{Kind: agent.EffectRead, Subject: path}) != no {
			return fmt.Errorf("%s is not to be read: the user's rule %s denies it", path, rule)
		}
	}
	return nil
}
