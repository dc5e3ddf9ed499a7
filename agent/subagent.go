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

// SourceBuiltin is the Source of the built-in types.
const SourceBuiltin = "built in"

// Type is a kind of subagent: its instructions and what it may use.
type Type struct {
	Name        string
	Description string              // the parent's model chooses by it
	Prompt      string              // added to the instructions of every subagent
	Tools       []string            // names of the tools it gets, with * wildcards; nil: all working tools
	Without     []string            // names of those that it does not get
	Model       string              // PROVIDER/NAME; empty: the parent's
	Effort      string              // as of lifecycle.Efforts; empty: the parent's
	Isolation   lifecycle.Isolation // empty: whatever the call asks for
	Mode        string              // the least strict permission mode it may work in; empty: the session's
	MaxSteps    int                 // 0: no limit
	Skills      []string            // names of the skills that it is told of; nil: all
	Source      string              // the file it is defined in, or SourceBuiltin

	Labels     []string // those that a worker must have on which its runs with isolation remote work
	Idempotent bool     // its work may be done again where a worker is lost

	Servers []string // names of the MCP servers whose tools it gets; nil: of all
}

// AllowsServer reports whether this type gets tools of an MCP server; empty is none of them.
func (t Type) AllowsServer(server string) bool {
	return server == "" || t.Servers == nil || slices.Contains(t.Servers, server)
}

// Allows reports whether this type gets a tool.
func (t Type) Allows(tool string) bool {
	return (t.Tools == nil || matchesAny(t.Tools, tool)) && !matchesAny(t.Without, tool)
}

// matchesAny reports whether a pattern matches the tool's name. An invalid pattern matches
// nothing.
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

// BuiltinTypes are the types that exist in every folder.
func BuiltinTypes() []Type {
	readers := []string{"read", "glob", "grep", "list", "skill"}
	return []Type{
		{Name: TypeGeneral, Description: "any task that takes several steps, with all working tools", Source: SourceBuiltin},
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

// FindType looks a type up by name.
func FindType(types []Type, name string) (Type, bool) {
	i := slices.IndexFunc(types, func(t Type) bool { return t.Name == name })
	if i < 0 {
		return Type{}, false
	}
	return types[i], true
}
