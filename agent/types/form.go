package types

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// maxName is the longest name, in characters. It appears in every line about a subagent.
const maxName = 64

// form builds one type from the fields of one file.
type form struct {
	*loader
	file    string // as people write it
	content string // its text
	kind    agent.Type
	notes   []Remark // kept only if the type can be used
}

// read reads the types of a folder.
func (l *loader) read(s source) []agent.Type {
	if s.files == nil {
		return nil
	}
	names, err := s.list()
	if err != nil {
		l.problem(s.spell(s.folder), err.Error())
	}
	var all []agent.Type
	for _, name := range names {
		f := form{loader: l, file: s.spell(name)}
		if !f.fill(s, name) {
			continue
		}
		if same, taken := agent.FindType(all, f.kind.Name); taken {
			l.problem(f.file, fmt.Sprintf("the name %q is taken by %s: choose another", f.kind.Name, same.Source))
			continue
		}
		if s.isProject {
			l.found.Project.Content += name + "\x00" + f.content + "\x00"
		}
		l.found.Notes = append(l.found.Notes, f.notes...)
		all = append(all, f.kind)
	}
	return all
}

// fill reads one file. It reports each problem, and returns whether there was none.
func (f *form) fill(s source, name string) bool {
	text, err := s.readFile(name)
	if err != nil {
		f.wrong(0, err)
		return false
	}
	front, body, err := split(text)
	if err != nil && s.claude {
		f.note(f.file, "it is not an agent type, so it is left out: "+err.Error()) // a README, for example
		return false
	}
	all, loose := []field{}, false
	if err == nil {
		all, err = fields(front)
	}
	if err != nil && s.claude {
		all, loose = looseFields(front), true
	}
	if err != nil && !loose {
		f.wrong(0, err)
		return false
	}
	f.content = text
	f.kind = agent.Type{Name: strings.TrimSuffix(path.Base(name), ".md"), Source: f.file, Prompt: body}
	before := len(f.found.Problems)
	f.setFields(all, f.keys(s.claude), s.claude)
	if err := f.complete(); err != nil && len(f.found.Problems) == before { // else the missing key may be the one that was wrong
		f.wrong(0, err)
	}
	return len(f.found.Problems) == before
}

// setFields passes each field to the function that reads it.
func (f *form) setFields(all []field, keys map[string]func(field) error, lenient bool) {
	seen := map[string]bool{}
	for _, field := range all {
		set, known := keys[field.key]
		switch {
		case seen[field.key]:
			f.wrong(field.line, fmt.Errorf("%s appears twice", field.key))
		case !known && lenient:
			f.ignored(field.line, fmt.Sprintf("the key %q has no effect here", field.key))
		case !known:
			f.wrong(field.line, fmt.Errorf("unknown key %q%s", field.key, words.DidYouMean(field.key, slices.Collect(maps.Keys(keys)))))
		case field.is == nothing:
			f.wrong(field.line, fmt.Errorf("%s has no value: give it one, or leave the line out", field.key))
		case field.is == other:
			f.wrong(field.line, fmt.Errorf("%s is neither a string nor a list of strings", field.key))
		default:
			if err := set(field); err != nil {
				f.wrong(field.line, err)
			}
		}
		seen[field.key] = true
	}
}

// complete checks the finished type.
func (f *form) complete() error {
	switch name := f.kind.Name; {
	case strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("name %q: must have 1 to %d letters, digits, spaces or signs", name, maxName)
	case f.kind.Description == "":
		return errors.New("description is missing: the model uses it to choose a type")
	}
	return nil
}

// keys maps the keys that a file may have to the functions that read them.
func (f *form) keys(claude bool) map[string]func(field) error {
	keys := map[string]func(field) error{
		"name":            f.text(&f.kind.Name),
		"description":     f.text(&f.kind.Description),
		"tools":           f.tools,
		"model":           f.model,
		"isolation":       f.isolation,
		"permission_mode": f.mode,
		"max_steps":       f.steps,
	}
	if claude {
		keys["tools"], keys["model"] = f.claudeTools, f.claudeModel
		keys["disallowedTools"], keys["permissionMode"], keys["maxTurns"] = f.claudeWithout, f.claudeMode, f.steps
	}
	return keys
}

func (f *form) text(to *string) func(field) error {
	return func(field field) error {
		if field.is != scalar {
			return fmt.Errorf("%s takes a string, not a list", field.key)
		}
		*to = words.Line(field.text)
		return nil
	}
}

func (f *form) tools(field field) error {
	f.kind.Tools = []string{}
	for _, word := range field.words() {
		if err := f.options.checkTool(word); err != nil {
			return err
		}
		f.kind.Tools = append(f.kind.Tools, word)
	}
	return nil
}

// checkTool refuses names that cannot be a subagent's tool.
func (o Options) checkTool(word string) error {
	switch {
	case slices.Contains(o.Delegation, word):
		return fmt.Errorf("tools: no subagent gets %q, because subagents cannot start subagents", word)
	case strings.ContainsFunc(word, unfitForTool):
		return fmt.Errorf("tools: %q is not a tool name: it has letters, digits, _ and -, and * stands for any of them", word)
	case strings.HasPrefix(word, "mcp__"), strings.HasPrefix(word, "*"): // servers may start later
		return nil
	case slices.ContainsFunc(o.Tools, func(tool string) bool { return covers(word, tool) }):
		return nil
	}
	return fmt.Errorf("tools: unknown tool %q%s", word, words.DidYouMean(word, o.Tools))
}

func unfitForTool(r rune) bool {
	const fit = "_-*abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return !strings.ContainsRune(fit, r)
}

// inherit stands for the parent's model.
const inherit = "inherit"

func (f *form) model(field field) error {
	if err := f.text(&f.kind.Model)(field); err != nil {
		return err
	}
	if f.kind.Model == inherit {
		f.kind.Model = ""
	}
	if f.kind.Model == "" || f.options.CheckModel == nil {
		return nil
	}
	return f.options.CheckModel(f.kind.Model)
}

func (f *form) isolation(field field) error {
	known := []lifecycle.Isolation{lifecycle.IsolationNone, lifecycle.IsolationWorktree, lifecycle.IsolationProcess}
	if !slices.Contains(known, lifecycle.Isolation(field.text)) {
		return fmt.Errorf("isolation %q: must be none, process or worktree", field.text)
	}
	f.kind.Isolation = lifecycle.Isolation(field.text)
	return nil
}

func (f *form) mode(field field) error {
	mode, err := permission.ParseMode(field.text)
	if err != nil {
		return err
	}
	f.kind.Mode = string(mode)
	return nil
}

func (f *form) steps(field field) error {
	n, err := strconv.Atoi(field.text)
	if err != nil || n < 1 {
		return fmt.Errorf("%s %q: must be a whole number, 1 or more", field.key, field.text)
	}
	f.kind.MaxSteps = stricterLimit(f.kind.MaxSteps, n)
	return nil
}

// wrong reports a problem, at the error's own line if it has one.
func (f *form) wrong(line int, err error) {
	var at *lineError
	if errors.As(err, &at) {
		line = cmp.Or(at.line, line)
	}
	f.problem(f.at(line), err.Error())
}

func (f *form) ignored(line int, text string) { f.notes = append(f.notes, Remark{f.at(line), text}) }

// at is a line of the file, for people.
func (f *form) at(line int) string {
	if line == 0 {
		return f.file
	}
	return fmt.Sprintf("%s:%d", f.file, line)
}
