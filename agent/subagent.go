package agent

import (
	_ "embed"
	"slices"
)

// The names of the built-in subagent types.
const (
	TypeGeneral = "general"
	TypeExplore = "explore"
	TypePlan    = "plan"
)

// Type is a kind of subagent: its instructions and what it may use.
type Type struct {
	Name        string
	Description string   // for the parent's model, which chooses by it
	Prompt      string   // added to the instructions of every subagent
	Tools       []string // the names it gets; nil: all working tools
	Model       string   // PROVIDER/NAME; empty: the parent's
	MaxSteps    int      // 0: no limit
	ReadOnly    bool     // what would change something is refused
}

// Allows says whether this type gets a tool.
func (t Type) Allows(tool string) bool { return t.Tools == nil || slices.Contains(t.Tools, tool) }

var (
	//go:embed prompt_explore.md
	explorePrompt string
	//go:embed prompt_plan.md
	planPrompt string
)

// BuiltinTypes are the types that every folder has.
func BuiltinTypes() []Type {
	readers := []string{"read", "glob", "grep", "list"}
	return []Type{
		{
			Name:        TypeGeneral,
			Description: "any task that takes several steps, with all working tools",
		},
		{
			Name:        TypeExplore,
			Description: "finding things out in this folder; it reads and changes nothing",
			Prompt:      explorePrompt, Tools: readers, ReadOnly: true,
		},
		{
			Name:        TypePlan,
			Description: "working out how something should be built; it reads and changes nothing",
			Prompt:      planPrompt, Tools: readers, ReadOnly: true,
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
