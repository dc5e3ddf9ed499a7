package settings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"pawl/agent/hook"
	"pawl/agent/permission"
)

// ProjectFile is a project's own settings file, relative to its folder.
const ProjectFile = ".pawl/config.toml"

// Project is the content of a folder's own settings file. Somebody else may have written
// it, so it only counts where it is stricter, or a matter of taste. It never loosens a
// permission, sets an address, or names a program that the user has not been shown. A
// value never changes and may be shared.
type Project struct {
	rows   rows
	keys   []string          // the allowed keys that it sets
	values map[string]string // their values, for display
	unused []*Error          // keys that a project cannot set
	theirs Settings
	folder string
}

// projectKey is a setting that a project may make. apply applies it to the user's
// settings; it returns false if that would loosen them.
type projectKey struct {
	name  string
	apply func(own *Settings, theirs Settings) bool
}

// projectKeys lists all of them. Whatever is missing here is deliberately not for a
// project to set.
func projectKeys() []projectKey {
	return []projectKey{
		{"model", func(own *Settings, theirs Settings) bool { own.Model = theirs.Model; return true }},
		{"effort", func(own *Settings, theirs Settings) bool { own.Effort = theirs.Effort; return true }},
		{"permission_mode", stricterMode},
		{"permissions.deny", func(own *Settings, theirs Settings) bool {
			return joined(&own.Permissions.Deny, theirs.Permissions.Deny)
		}},
		{"permissions.ask", func(own *Settings, theirs Settings) bool { return joined(&own.Permissions.Ask, theirs.Permissions.Ask) }},
		{"permissions.sandboxed", func(own *Settings, theirs Settings) bool {
			if theirs.Permissions.Sandboxed == permission.SandboxedAllow {
				return own.Permissions.Sandboxed == permission.SandboxedAllow
			}
			own.Permissions.Sandboxed = theirs.Permissions.Sandboxed
			return true
		}},
		{"subagents.max_background", func(own *Settings, theirs Settings) bool {
			return lower(&own.Subagents.MaxBackground, theirs.Subagents.MaxBackground)
		}},
		{"subagents.max_auto_resumes", func(own *Settings, theirs Settings) bool {
			return lower(&own.Subagents.MaxAutoResumes, theirs.Subagents.MaxAutoResumes)
		}},
		{"subagents.foreground_warning", func(own *Settings, theirs Settings) bool {
			own.Subagents.ForegroundWarning = theirs.Subagents.ForegroundWarning
			return true
		}},
		{"subagents.background_permissions", func(own *Settings, theirs Settings) bool {
			if theirs.Subagents.BackgroundPermissions == "ask" {
				return own.Subagents.BackgroundPermissions == "ask"
			}
			own.Subagents.BackgroundPermissions = theirs.Subagents.BackgroundPermissions
			return true
		}},
		tighterLimit("max_cost", func(l *Limits) *float64 { return &l.MaxCost }),
		tighterLimit("max_tokens", func(l *Limits) *int { return &l.MaxTokens }),
		tighterLimit("run_max_cost", func(l *Limits) *float64 { return &l.RunMaxCost }),
		tighterLimit("run_max_tokens", func(l *Limits) *int { return &l.RunMaxTokens }),
		tighterLimit("day_max_cost", func(l *Limits) *float64 { return &l.DayMaxCost }),
		tighterLimit("max_steps", func(l *Limits) *int { return &l.MaxSteps }),
		{"limits.max_remote", func(own *Settings, theirs Settings) bool {
			return lower(&own.Limits.MaxRemote, theirs.Limits.MaxRemote)
		}},
		{"sandbox", stricterSandbox},
		{"sandbox.mode", stricterSandbox},
		{"worktree.base", func(own *Settings, theirs Settings) bool { own.Worktree.Base = theirs.Worktree.Base; return true }},
		{setupKey, func(own *Settings, theirs Settings) bool { own.Worktree.Setup = theirs.Worktree.Setup; return true }},
		{hooksKey, func(own *Settings, theirs Settings) bool { return joined(&own.Programs, theirs.Programs) }},
	}
}

// These are the only settings that name programs. The trust question lists each.
const (
	hooksKey = "hooks"
	setupKey = "worktree.setup"
)

func stricterSandbox(own *Settings, theirs Settings) bool {
	wish := Sandbox{Mode: theirs.Sandbox.Mode}
	if len(own.Sandbox.Loosens(wish)) > 0 {
		return false
	}
	own.Sandbox = own.Sandbox.TightenedBy(wish)
	return true
}

func stricterMode(own *Settings, theirs Settings) bool {
	mine := cmp.Or(permission.Mode(own.PermissionMode), permission.Default)
	wish := permission.Mode(theirs.PermissionMode)
	if permission.Stricter(wish, mine) != wish {
		return false
	}
	own.PermissionMode = theirs.PermissionMode
	return true
}

// lower takes a number that is not higher than the user's.
func lower(own *int, theirs int) bool {
	if theirs > *own {
		return false
	}
	*own = theirs
	return true
}

// joined adds a list to the user's, which is not changed.
func joined[E any](own *[]E, theirs []E) bool {
	*own = slices.Concat(*own, theirs)
	return true
}

// tighterLimit is a limit that a project may only lower; 0 is no limit.
func tighterLimit[N int | float64](name string, of func(*Limits) *N) projectKey {
	return projectKey{"limits." + name, func(own *Settings, theirs Settings) bool {
		mine, wish := of(&own.Limits), *of(&theirs.Limits)
		if *mine != 0 && (wish == 0 || wish > *mine) {
			return false
		}
		*mine = wish
		return true
	}}
}

// ParseProject parses a project's file. where is its name for people; programs of its
// hooks are looked for in folder. An error reports everything that is wrong, and means
// that the file cannot be used at all.
func ParseProject(where, text, folder string) (*Project, error) {
	p := &Project{theirs: defaults(), values: map[string]string{}, folder: folder}
	read, wrong := decodeFile(where, text, &p.theirs)
	if wrong != nil && read == "" {
		return nil, wrong
	}
	p.rows = findRows(read)
	programs, hooks := HooksOf(where, read, p.theirs.Hooks, hook.Project, folder)
	p.theirs.Programs = programs
	if err := p.theirs.combineErrors(where, p.rows, wrong, nil, hooks); err != nil {
		return nil, err
	}
	var all map[string]any
	if err := toml.Unmarshal([]byte(text), &all); err != nil {
		return nil, &Error{where, err.Error()}
	}
	p.classify(where, nil, all)
	return p, nil
}

// classify sorts the keys below a table into those a project may set and those it may not.
func (p *Project) classify(where string, above []string, table map[string]any) {
	for _, part := range slices.Sorted(maps.Keys(table)) {
		parts := append(slices.Clip(above), part)
		name := strings.Join(parts, ".")
		inner, deeper := table[part].(map[string]any)
		switch {
		case !deeper && slices.ContainsFunc(projectKeys(), func(k projectKey) bool { return k.name == name }):
			p.keys = append(p.keys, name)
			p.values[name] = oneLine(table[part])
		case deeper && len(above) == 0:
			p.classify(where, parts, inner)
		default:
			p.unused = append(p.unused, &Error{p.rows.place(where, parts...), name + " cannot be set by a project"})
		}
	}
}

// oneLine writes any value on one line.
func oneLine(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(b.String())
}

// ApplyTo applies the project's settings to the user's, except those that would loosen them.
func (p *Project) ApplyTo(own Settings) Settings {
	for _, key := range projectKeys() {
		if slices.Contains(p.keys, key.name) {
			key.apply(&own, p.theirs)
		}
	}
	return own
}

// Preview returns what of the project would be used with these settings, a line for each
// key and value, and what would not.
func (p *Project) Preview(own Settings) (used []string, unused []*Error) {
	unused = slices.Clone(p.unused)
	for _, key := range projectKeys() {
		switch {
		case !slices.Contains(p.keys, key.name):
		case key.apply(&own, p.theirs) && key.name == hooksKey:
			for _, program := range p.theirs.Programs {
				used = append(used, program.Brief())
			}
		case key.apply(&own, p.theirs):
			used = append(used, key.name+" = "+p.values[key.name])
		default:
			place := p.rows.place(ProjectFile, strings.Split(key.name, ".")...)
			unused = append(unused, &Error{place, fmt.Sprintf("%s = %s would be less strict than without it", key.name, p.values[key.name])})
		}
	}
	return used, unused
}

// HasRule reports whether the project has a deny or ask rule with this text.
func (p *Project) HasRule(rule string) bool {
	return slices.ContainsFunc(p.theirs.Permissions.Deny, func(r permission.Rule) bool { return r.String() == rule }) ||
		slices.ContainsFunc(p.theirs.Permissions.Ask, func(r permission.AskRule) bool { return r.String() == rule })
}

// Hooks are the project's hooks.
func (p *Project) Hooks() []hook.Spec { return slices.Clone(p.theirs.Programs) }

// Sealed is a copy with the digests of its hooks' scripts as they are now, since trusting
// a name means trusting what it runs. content changes when one of them, or of the setup of
// worktrees, does.
func (p *Project) Sealed() (sealed *Project, content string) {
	with := *p
	with.theirs.Programs = slices.Clone(p.theirs.Programs)
	var all strings.Builder
	setup := hook.Spec{Line: p.theirs.Worktree.Setup, Source: hook.Project}
	for _, script := range setup.Scripts() { // a worktree has what is committed of it, and it runs in the sandbox
		sum, err := hook.Digest(setup.ScriptPath(script, p.folder))
		fmt.Fprintf(&all, "\x00%s\x00%s\x00%v", script, sum, err != nil)
	}
	for i := range with.theirs.Programs {
		one, sums := &with.theirs.Programs[i], map[string]string{}
		for _, script := range one.Scripts() {
			sum, err := hook.Digest(one.ScriptPath(script, one.Folder))
			fmt.Fprintf(&all, "\x00%s\x00%s\x00%v", script, sum, err != nil)
			sums[script] = sum // empty for one that is not there, and must not come to be
		}
		one.Sums = sums
	}
	return &with, all.String()
}

// Model is the project's model; empty if it sets none.
func (p *Project) Model() string { return p.theirs.Model }

// WithoutModel is a copy without the model, for a model that is not available here.
func (p *Project) WithoutModel() *Project {
	without := *p
	without.keys = slices.DeleteFunc(slices.Clone(p.keys), func(key string) bool { return key == "model" })
	return &without
}
