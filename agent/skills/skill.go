package skills

import (
	"slices"

	"pawl/agent/commands"
)

// Skill is a folder with instructions.
type Skill struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Body        string           `json:"body"`
	Folder      string           `json:"folder"` // its whole path
	Source      string           `json:"source"` // its SKILL.md, as people write it
	Owner       string           `json:"owner"`  // "project" or "user"
	AtTop       bool             `json:"-"`      // it is that of the checkout's top folder, in which Pawl does not stand
	Command     commands.Command `json:"-"`      // what a person types; no Name: nothing
	Unlisted    bool             `json:"-"`      // only a person starts it: models are not told of it
}

// ForModels are those that models are told of, and by types alone those that names name; nil names
// name all. A name may be there once.
func ForModels(all []Skill, names []string) []Skill {
	var some []Skill
	for _, s := range all {
		if !s.Unlisted && (names == nil || slices.Contains(names, s.Name)) {
			some = append(some, s)
		}
	}
	return some
}

// Used are the skills of their names: the first of each.
func Used(all []Skill) []Skill {
	var used []Skill
	for _, s := range all {
		if !slices.ContainsFunc(used, func(other Skill) bool { return other.Name == s.Name }) {
			used = append(used, s)
		}
	}
	return used
}

// Commands are the skills as commands.
func Commands(all []Skill) []commands.Command {
	var typed []commands.Command
	for _, s := range all {
		if s.Command.Name != "" {
			typed = append(typed, s.Command)
		}
	}
	return typed
}

// Find finds a skill by its name.
func Find(all []Skill, name string) (Skill, bool) {
	i := slices.IndexFunc(all, func(s Skill) bool { return s.Name == name })
	if i < 0 {
		return Skill{}, false
	}
	return all[i], true
}
