package tools

import (
	"cmp"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// roster are the types of subagents that a parent can start.
type roster []agent.Type

// longestDescription bounds what a parent's model is told of one type, in
// characters: the list goes into each of its requests.
const longestDescription = 500

func (r roster) names() []string {
	var names []string
	for _, t := range r {
		names = append(names, t.Name)
	}
	return names
}

// list says what each type is for, a line each.
func (r roster) list() string {
	var lines []string
	for _, t := range r {
		lines = append(lines, fmt.Sprintf("- %s: %s", t.Name, words.CutLine(t.Description, longestDescription)))
	}
	return strings.Join(lines, "\n")
}

// chosen fills in what the call left to the type. Of the model and its effort the call decides;
// where a run works, the type does, for that is how it was meant to be kept apart.
func (r roster) chosen(spec lifecycle.Spec) lifecycle.Spec {
	kind, _ := agent.FindType(r, spec.Type) // the schema takes no others
	spec.Model, spec.Effort = cmp.Or(spec.Model, kind.Model), cmp.Or(spec.Effort, kind.Effort)
	if kind.Isolation != "" && kind.Isolation != lifecycle.IsolationNone {
		spec.Isolation = kind.Isolation
	}
	spec.Isolation = cmp.Or(spec.Isolation, lifecycle.IsolationNone)
	if spec.Isolation == lifecycle.IsolationRemote {
		spec.Labels, spec.Idempotent = kind.Labels, kind.Idempotent
	}
	return spec
}
