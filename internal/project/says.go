package project

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/types"
	"pawl/tools/mcp"
)

// saysOfServers describes each server in lines: what would be started or reached, what it is
// given, and which of the user's variables it asks for.
func saysOfServers(specs []mcp.Spec) []string {
	var lines []string
	for _, s := range specs {
		if s.Wrong != "" {
			lines = append(lines, s.Name+": cannot be used, "+s.Wrong)
			continue
		}
		lines = append(lines, s.Name+": "+s.Brief())
		if given := s.Given(); len(given) > 0 {
			lines = append(lines, "    gets "+strings.Join(given, ", "))
		}
		if reads := s.Reads(); len(reads) > 0 {
			lines = append(lines, "    reads from your environment: "+strings.Join(reads, ", "))
		}
	}
	return lines
}

// promptShown is how many lines of a type's instructions its question shows.
const promptShown = 3

// saysOfTypes describes each type in lines: what it may do, and how its instructions begin.
func saysOfTypes(kinds []agent.Type) []string {
	var lines []string
	for _, t := range kinds {
		can := []string{"tools: " + types.ToolWords(t)}
		if t.Model != "" {
			can = append(can, "model: "+t.Model)
		}
		if t.Effort != "" {
			can = append(can, "effort: "+t.Effort)
		}
		if t.Mode != "" {
			can = append(can, "permission mode: "+t.Mode)
		}
		if t.Isolation != "" {
			can = append(can, "isolation: "+string(t.Isolation))
		}
		lines = append(lines, fmt.Sprintf("%s (%s): %s", t.Name, t.Source, t.Description), "    "+strings.Join(can, "; "))
		shown := 0
		for line := range strings.Lines(t.Prompt) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if shown++; shown > promptShown {
				lines = append(lines, "    …")
				break
			}
			lines = append(lines, "    > "+line)
		}
	}
	return lines
}

// lines are what the question shows of a part. If it was answered for before, added lines begin
// with + and removed ones with -.
func (one *Part) lines() []string {
	wants := []string{one.wants}
	if one.Left {
		wants = append(wants, "    (it appeared or changed while Pawl ran a command)")
	}
	if one.Shown == nil {
		lines := wants
		for _, line := range one.Says {
			lines = append(lines, "    "+line)
		}
		return lines
	}
	changed := "    (changed since you answered: + is new, - is gone)"
	if slices.Equal(one.Shown, one.Says) {
		changed = "    (changed since you answered, in a part that is not shown here)"
	}
	lines := append(wants, changed)
	for _, line := range one.Says {
		sign := "+ "
		if slices.Contains(one.Shown, line) {
			sign = "  "
		}
		lines = append(lines, "  "+sign+line)
	}
	for _, line := range one.Shown {
		if !slices.Contains(one.Says, line) {
			lines = append(lines, "  - "+line)
		}
	}
	return lines
}

// Unusable is one line about files that cannot be used, of the folder and the user's commands and
// skills; empty if there are none.
func (p *Project) Unusable() string {
	var troubles []string
	for _, trouble := range []string{p.firstProblem(), p.WrongConventions()} {
		if trouble != "" {
			troubles = append(troubles, "not used: "+trouble)
		}
	}
	return strings.Join(troubles, " · ")
}

// firstProblem is Unusable without its beginning.
func (p *Project) firstProblem() string {
	if len(p.Problems) == 0 {
		return ""
	}
	line := p.Problems[0]
	if more := len(p.Problems) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more: pawl doctor)", more)
	}
	return line
}
