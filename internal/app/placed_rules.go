package app

import (
	"fmt"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/remote"
	"pawl/internal/base"
	"pawl/internal/project"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/git"
	"pawl/tools/process"
)

// localize makes the rules of the session those of a run that works here: what may be done is the
// session's, how commands are held to it is this machine's. withheld is models.Set.Withheld.
func (p *placedRun) localize(withheld []string) (err error) {
	r := &p.Rules
	r.Folder, r.Withheld, r.Home, r.Trees = p.at.Folder, withheld, "", "" // the two are on another machine
	r.Containment, r.Hide = process.Containment(p.settings.Tools.Containment), !p.settings.Tools.Debuggable
	r.Sandbox = base.Sandbox(p.settings, p.folders)
	r.Sandbox.Keep = git.Look(p.at.Folder).Included
	r.Fetch = p.settings.Fetch.Allow
	r.tree = &worktree.Own{Path: p.at.Top, Branch: p.at.Branch, Common: func() (string, error) { return p.at.Common, nil }}
	var folders []string
	for _, folder := range r.Skills.Folders {
		if here := p.here(folder); here != folder { // another is not on this machine
			folders = append(folders, here)
		}
	}
	r.Skills.Folders = folders
	r.Permissions, err = p.localRules(r.Permissions)
	return err
}

// here is a path in the session's checkout as it is on this machine; any other stays.
func (p *placedRun) here(path string) string {
	if p.Top == "" {
		return path
	}
	return remote.Moved(path, p.Top, p.at.Top)
}

// localRules are the session's rules, with the paths of its checkout as they are here. What denies or
// asks also holds as it was written.
func (p *placedRun) localRules(r permission.Rules) (local permission.Rules, err error) {
	local = r
	local.Deny, local.Ask, local.Allow = nil, nil, nil
	for _, rule := range r.Deny {
		local.Deny = append(local.Deny, rule)
		if moved, other := p.moved(rule.String()); other {
			if rule, err = permission.ParseRule(moved); err != nil {
				return r, fmt.Errorf("the rule %s with the paths of this machine: %w", rule, err)
			}
			local.Deny = append(local.Deny, rule)
		}
	}
	for _, rule := range r.Ask {
		local.Ask = append(local.Ask, rule)
		if moved, other := p.moved(rule.String()); other {
			if err := rule.UnmarshalText([]byte(moved)); err != nil {
				return r, fmt.Errorf("the rule %s with the paths of this machine: %w", moved, err)
			}
			local.Ask = append(local.Ask, rule)
		}
	}
	for _, rule := range r.Allow {
		if moved, other := p.moved(rule.String()); other {
			if rule.UnmarshalText([]byte(moved)) != nil {
				continue // it allows less
			}
		}
		local.Allow = append(local.Allow, rule)
	}
	return local, nil
}

// moved is a text with the paths of the session's checkout as they are here; other says that there are
// some.
func (p *placedRun) moved(text string) (moved string, other bool) {
	moved = remote.MovedText(text, p.Top, p.at.Top)
	return moved, moved != text
}

// around is what the model of the run is told about where it works.
func (p *placedRun) around(run lifecycle.Run) agent.Surroundings {
	own := project.Surroundings(p.at.Folder)
	own.Today = p.Around.Today
	own.Git += ": a git worktree of your own on the machine " + p.machine + ", made from " + p.Home +
		" on the machine of your session as it was then, with what is not committed there" +
		". Change files only here; they are brought to that machine on this branch, committed or not"
	own.Git += p.Rules.freely()
	own.Instructions = append(p.Around.Instructions, placeOf(p.Rules, own.Folder).Read()...)
	return own
}
