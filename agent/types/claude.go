package types

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/frontmatter"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// claudeTools maps Claude Code's tool names to ours.
func claudeTools() map[string][]string {
	return map[string][]string{
		"Read": {"read"}, "Write": {"write"}, "Edit": {"edit"}, "MultiEdit": {"edit"},
		"Glob": {"glob"}, "Grep": {"grep"}, "LS": {"list"},
		"Bash": {"shell", "shell_output", "shell_kill"}, "BashOutput": {"shell_output"},
		"KillShell": {"shell_kill"}, "KillBash": {"shell_kill"},
		"WebFetch": {"fetch"}, "WebSearch": {agent.WebSearchTool}, "Skill": {"skill"}, "TodoWrite": {"todo"},
	}
}

// pawlTools returns the tools that a Claude Code name stands for; none if it has no
// meaning here.
func (f *form) pawlTools(word string) []string {
	var there []string
	for _, name := range append(claudeTools()[word], word) {
		if f.options.checkTool(name) == nil {
			there = append(there, name)
		}
	}
	return there
}

// claudeTools reads the tools of a shared file. Unknown ones are left out, because such
// files list tools of other programs.
func (f *form) claudeTools(field frontmatter.Field) error {
	f.kind.Tools = []string{}
	for _, word := range field.Words() {
		found := f.pawlTools(word)
		if len(found) == 0 {
			f.ignored(field.Line, fmt.Sprintf("the tool %q is left out: Pawl has no such tool", word))
		}
		f.kind.Tools = append(f.kind.Tools, found...)
	}
	slices.Sort(f.kind.Tools)
	f.kind.Tools = slices.Compact(f.kind.Tools)
	return nil
}

// claudeWithout reads the tools that are denied. One that is denied in part, as in Bash(rm
// *), is denied entirely, which is safe.
func (f *form) claudeWithout(field frontmatter.Field) error {
	for _, word := range field.Words() {
		name, _, partly := strings.Cut(word, "(")
		found := f.pawlTools(name)
		switch {
		case len(found) == 0:
			f.ignored(field.Line, fmt.Sprintf("the tool %q is not one of its tools anyway", word))
		case partly:
			f.ignored(field.Line, fmt.Sprintf("it does not get %s at all: to forbid only a part, as in %q, write a rule in the settings", strings.Join(found, ", "), word))
		}
		f.kind.Without = append(f.kind.Without, found...)
	}
	return nil
}

// claudeMode reads a permission mode. An unknown one leaves the session's mode, which no
// type can widen.
func (f *form) claudeMode(field frontmatter.Field) error {
	modes := map[string]permission.Mode{
		"default": permission.Default, "acceptEdits": permission.AcceptEdits,
		"plan": permission.Plan, "bypassPermissions": permission.Bypass,
	}
	mode, known := modes[field.Text]
	if !known {
		f.ignored(field.Line, fmt.Sprintf("permissionMode %q has no effect here: the session's mode applies", field.Text))
		return nil
	}
	f.kind.Mode = string(mode)
	return nil
}

// claudeModel reads a model, by Claude Code's name or ours.
func (f *form) claudeModel(field frontmatter.Field) error {
	word := field.Text
	if word == inherit {
		return nil
	}
	if f.options.ClaudeModel != nil {
		if model, ok := f.options.ClaudeModel(word); ok {
			f.kind.Model = model
			return nil
		}
	}
	if strings.Contains(word, "/") && f.options.CheckModel != nil && f.options.CheckModel(word) == nil {
		f.kind.Model = word
		return nil
	}
	f.ignored(field.Line, fmt.Sprintf("the model %q is not available here: it uses the main agent's model", word))
	return nil
}

// claudeEffort reads a level of effort. An unknown one leaves the main agent's.
func (f *form) claudeEffort(field frontmatter.Field) error {
	level := field.Text
	switch {
	case level == "xhigh": // nearest to what it costs, and never dearer
		level = "high"
		f.ignored(field.Line, "effort xhigh is taken for high: Pawl has low, medium, high and max")
	case level == "" || lifecycle.CheckEffort(level) != nil:
		f.ignored(field.Line, fmt.Sprintf("effort %q has no effect here: it uses the main agent's", level))
		return nil
	}
	f.kind.Effort = level
	return nil
}
