package agent

import (
	_ "embed"
	"path"
	"slices"

	"pawl/lifecycle"
)

// The names of the built-in subagent types.
const (
	TypeGeneral = "general"
	TypeExplore = "explore"
	TypePlan    = "plan"
)

// SourceBuiltin is where the types come from that every folder has.
const SourceBuiltin = "built in"

// Type is a kind of subagent: its instructions and what it may use.
type Type struct {
	Name        string
	Description string              // for the parent's model, which chooses by it
	Prompt      string              // added to the instructions of every subagent
	Tools       []string            // the names it gets, * for any letters; nil: all working tools
	Without     []string            // of those, the names it does not get
	Model       string              // PROVIDER/NAME; empty: the parent's
	Isolation   lifecycle.Isolation // empty: whatever the call asks for
	Mode        string              // the widest permission mode it works in; empty: the session's
	MaxSteps    int                 // 0: no limit
	Source      string              // the file it comes from, or SourceBuiltin
}

// Allows says whether this type gets a tool.
func (t Type) Allows(tool string) bool {
	return (t.Tools == nil || matchesAny(t.Tools, tool)) && !matchesAny(t.Without, tool)
}

// matchesAny says whether one of these patterns is one of the tool's name. A
// pattern that is none matches nothing.
func matchesAny(patterns []string, tool string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(pattern, tool)
		return ok && err == nil
	})
}

var (
	//go:embed prompt_explore.md
	explorePrompt string
	//go:embed prompt_plan.md
	planPrompt string
)

// readsOnly is the permission mode of types that change nothing.
const readsOnly = "plan"

// BuiltinTypes are the types that every folder has.
func BuiltinTypes() []Type {
	readers := []string{"read", "glob", "grep", "list"}
	return []Type{
		{
			Name:        TypeGeneral,
			Description: "any task that takes several steps, with all working tools",
			Source:      SourceBuiltin,
		},
		{
			Name:        TypeExplore,
			Description: "finding things out in this folder; it reads and changes nothing",
			Prompt:      explorePrompt, Tools: readers, Mode: readsOnly, Source: SourceBuiltin,
		},
		{
			Name:        TypePlan,
			Description: "working out how something should be built; it reads and changes nothing",
			Prompt:      planPrompt, Tools: readers, Mode: readsOnly, Source: SourceBuiltin,
		},
	}
}

// FindType looks a type up by its name.
func FindType(types []Type, name string) (Type, bool) {
	i := slices.IndexFunc(types, func(t Type) bool { return t.Name == name })
	if i < 0 {
		return Type{}, false
	}
	return types[i], true
}
