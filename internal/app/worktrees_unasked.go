package app

import (
	"errors"
	"fmt"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/tools/git"
)

// unasked decides an effect that is neither denied nor allowed: in the run's own worktree and in
// a sandbox, file changes and plain commits on its branch go ahead. A command does so in an
// environment in which git starts no program of the checkout's and reaches no other branch.
func (r rules) unasked(effect agent.Effect) agent.Decision {
	ask := agent.Decision{Ask: true}
	if r.tree == nil || !r.Sandbox.InForce() {
		return ask
	}
	own := r.current()
	own.Own = true
	if decision, _ := own.Decide(r.mode(), effect); decision != permission.Allow {
		return ask
	}
	if effect.Kind == agent.EffectEdit {
		return agent.Decision{Allow: true}
	}
	environ, err := r.sealedEnviron(effect)
	if err != nil {
		return agent.Decision{Ask: true, Reason: fmt.Sprintf("a commit in the worktree needs no question only where git starts nothing: %v", err)}
	}
	return agent.Decision{Allow: true, Environ: environ}
}

// sealedEnviron is the environment in which a command line may commit.
func (r rules) sealedEnviron(effect agent.Effect) ([]string, error) {
	switch {
	case r.distrusted(effect):
		return nil, errors.New(notTrusted)
	case effect.Background:
		return nil, errors.New("it would go on in the background")
	case !r.foreign("git"):
		return nil, errors.New("the git that is found first is one of the worktree's own files")
	}
	common, err := r.tree.Common()
	if err != nil {
		return nil, err
	}
	return git.Seal(r.tree.Path, r.tree.Branch, common)
}
