package types

import (
	"fmt"
	"slices"
	"strings"

	"pawl/agent/permission"
)

// claudeTools maps Claude Code's tool names to ours.
func claudeTools() map[string][]string {
	return map[string][]string{
		"Read": {"read"}, "Write": {"write"}, "Edit": {"edit"}, "MultiEdit": {"edit"},
		"Glob": {"glob"}, "Grep": {"grep"}, "LS": {"list"},
		"Bash": {"shell", "shell_output", "shell_kill"}, "BashOutput": {"shell_output"},
		"KillShell": {"shell_kill"}, "KillBash": {"shell_kill"},
		"WebFetch": {"fetch"}, "TodoWrite": {"todo"},
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
func (f *form) claudeTools(field field) error {
	f.kind.Tools = []string{}
	for _, word := range field.words() {
		found := f.pawlTools(word)
		if len(found) == 0 {
			f.ignored(field.line, fmt.Sprintf("the tool %q is left out: Pawl has no such tool", word))
		}
		f.kind.Tools = append(f.kind.Tools, found...)
	}
	slices.Sort(f.kind.Tools)
	f.kind.Tools = slices.Compact(f.kind.Tools)
	return nil
}

// claudeWithout reads the tools that are denied. One that is denied in part, as in Bash(rm
// *), is denied entirely, which is safe.
func (f *form) claudeWithout(field field) error {
	for _, word := range field.words() {
		name, _, partly := strings.Cut(word, "(")
		found := f.pawlTools(name)
		switch {
		case len(found) == 0:
			f.ignored(field.line, fmt.Sprintf("the tool %q is not one of its tools anyway", word))
		case partly:
			f.ignored(field.line, fmt.Sprintf("it does not get %s at all: to forbid only a part, as in %q, write a rule in the settings", strings.Join(found, ", "), word))
		}
		f.kind.Without = append(f.kind.Without, found...)
	}
	return nil
}

// claudeMode reads a permission mode. An unknown one leaves the session's mode, which no
// type can widen.
func (f *form) claudeMode(field field) error {
	modes := map[string]permission.Mode{
		"default": permission.Default, "acceptEdits": permission.AcceptEdits,
		"plan": permission.Plan, "bypassPermissions": permission.Bypass,
	}
	mode, known := modes[field.text]
	if !known {
		f.ignored(field.line, fmt.Sprintf("permissionMode %q has no effect here: the session's mode applies", field.text))
		return nil
	}
	f.kind.Mode = string(mode)
	return nil
}

// claudeModel reads a model, by Claude Code's name or ours.
func (f *form) claudeModel(field field) error {
	word := field.text
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
	f.ignored(field.line, fmt.Sprintf("the model %q is not available here: it uses the main agent's model", word))
	return nil
}

// looseFields reads frontmatter that is not valid YAML as most programs with such files
// do: a key and its text on each line, with indented lines as continuation.
func looseFields(front string) []field {
	var all []field
	number := 1
	for line := range strings.Lines(front) {
		number++
		key, text, found := strings.Cut(strings.TrimRight(line, "\n"), ":")
		if found && key != "" && !strings.ContainsFunc(key, unfitForTool) {
			all = append(all, looseField(key, unquoted(text), number))
		} else if last := len(all) - 1; last >= 0 {
			all[last].extend(strings.TrimSpace(line))
		}
	}
	return all
}

func looseField(key, text string, line int) field {
	f := field{key: key, line: line, is: scalar, text: text}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		f.text = strings.TrimSuffix(inner, "]")
	}
	if f.text == "" {
		f.is = nothing
	}
	return f
}

// extend adds a line: an item of a list, or more text.
func (f *field) extend(line string) {
	item, isItem := strings.CutPrefix(line, "- ")
	switch {
	case line == "":
	case isItem && (f.is == nothing || f.is == list):
		f.is, f.list = list, append(f.list, unquoted(item))
	default:
		f.is, f.text = scalar, strings.TrimSpace(f.text+" "+line)
	}
}

func unquoted(text string) string {
	text = strings.TrimSpace(text)
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1]
	}
	return text
}
