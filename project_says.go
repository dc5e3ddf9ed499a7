package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/trust"
	"pawl/tools/mcp"
	"pawl/ui"
)

// saysOfServers tells each server in lines: what would be started or reached, what
// it is given, and which of the user's variables it asks for.
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

// saysOfTypes tells each type in lines: what it may do, and how its instructions begin.
func saysOfTypes(kinds []agent.Type) []string {
	var lines []string
	for _, t := range kinds {
		can := []string{"tools: " + toolsOf(t)}
		if t.Model != "" {
			can = append(can, "model: "+t.Model)
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

// stranger is the one question about all that nobody has seen; nil where there is none.
func (p *project) stranger() *ui.Stranger {
	asked := p.unseen()
	if len(asked) == 0 {
		return nil
	}
	var names, lines []string
	for _, one := range asked {
		names = append(names, one.brief)
		lines = append(lines, one.lines()...)
	}
	return &ui.Stranger{
		Title: fmt.Sprintf("This folder contains %s. Do you trust it?", enumerated(names)),
		Says:  append(lines, "Until you do, none of this is used, and Pawl asks before each shell command."),
		Decide: func(ctx context.Context, trustIt bool) error {
			if trustIt {
				return p.decide(ctx, asked, trust.Trusted)
			}
			return p.decide(ctx, asked, trust.Distrusted)
		},
	}
}

// lines are what the question shows of a part. Where something was said of it before,
// new lines have a + and those that went a -.
func (one *part) lines() []string {
	wants := []string{one.wants}
	if one.left {
		wants = append(wants, "    (it appeared or changed while Pawl ran a command)")
	}
	if one.shown == nil {
		lines := wants
		for _, line := range one.says {
			lines = append(lines, "    "+line)
		}
		return lines
	}
	changed := "    (changed since you answered: + is new, - is gone)"
	if slices.Equal(one.shown, one.says) {
		changed = "    (changed since you answered, in a part that is not shown here)"
	}
	lines := append(wants, changed)
	for _, line := range one.says {
		sign := "+ "
		if slices.Contains(one.shown, line) {
			sign = "  "
		}
		lines = append(lines, "  "+sign+line)
	}
	for _, line := range one.shown {
		if !slices.Contains(one.says, line) {
			lines = append(lines, "  - "+line)
		}
	}
	return lines
}

// tellLeftOut says on standard error what is not used, where nobody can be asked.
func (h *house) tellLeftOut(ctx context.Context) {
	if left := h.project.leftOut(); left != "" {
		fmt.Fprintln(h.world.err, string(sanitize.Line("pawl: left out "+left)))
	}
	if trouble := h.project.passedOver(); trouble != "" {
		fmt.Fprintln(h.world.err, string(sanitize.Line("pawl: "+trouble)))
	}
	if foreign := h.foreign(ctx); foreign != "" {
		fmt.Fprintln(h.world.err, string(sanitize.Line("pawl: "+foreign)))
	}
}

// passedOver is troubled with what comes of it: that is not used.
func (p *project) passedOver() string {
	if trouble := p.troubled(); trouble != "" {
		return "not used: " + trouble
	}
	return ""
}

// troubled is the line about what of the folder's files can be used neither way;
// empty where there is nothing.
func (p *project) troubled() string {
	if len(p.trouble) == 0 {
		return ""
	}
	line := p.trouble[0]
	if more := len(p.trouble) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more: pawl doctor)", more)
	}
	return line
}
