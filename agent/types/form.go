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
	"pawl/agent/frontmatter"
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
	if s.Empty() {
		return nil
	}
	names, err := s.List(s.folder)
	if err != nil {
		l.problem(s.Spell(s.folder), err.Error())
	}
	var all []agent.Type
	for _, name := range names {
		f := form{loader: l, file: s.Spell(name)}
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
	text, err := s.ReadFile(name)
	if err != nil {
		f.wrong(0, err)
		return false
	}
	front, body, err := frontmatter.Split(text)
	if err != nil && s.claude {
		f.note(f.file, "it is not an agent type, so it is left out: "+err.Error()) // a README, for example
		return false
	}
	all, loose := []frontmatter.Field{}, false
	if err == nil {
		all, err = frontmatter.Parse(front)
	}
	if err != nil && s.claude {
		all, loose = frontmatter.ParseLoosely(front), true
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
func (f *form) setFields(all []frontmatter.Field, keys map[string]func(frontmatter.Field) error, lenient bool) {
	seen := map[string]bool{}
	for _, field := range all {
		set, known := keys[field.Key]
		switch {
		case seen[field.Key]:
			f.wrong(field.Line, fmt.Errorf("%s appears twice", field.Key))
		case !known && lenient:
			f.ignored(field.Line, fmt.Sprintf("the key %q has no effect here", field.Key))
		case !known:
			f.wrong(field.Line, fmt.Errorf("unknown key %q%s", field.Key, words.DidYouMean(field.Key, slices.Collect(maps.Keys(keys)))))
		case field.Is == frontmatter.Nothing:
			f.wrong(field.Line, fmt.Errorf("%s has no value: give it one, or leave the line out", field.Key))
		case field.Is == frontmatter.Other && field.Key == claudeServers:
			f.ignored(field.Line, claudeServers+" has no effect: Pawl starts no servers that a type defines, and takes names of those that are set up")
		case field.Is == frontmatter.Other:
			f.wrong(field.Line, fmt.Errorf("%s is neither a string nor a list of strings", field.Key))
		default:
			if err := set(field); err != nil {
				f.wrong(field.Line, err)
			}
		}
		seen[field.Key] = true
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
func (f *form) keys(claude bool) map[string]func(frontmatter.Field) error {
	keys := map[string]func(frontmatter.Field) error{
		"name":            f.text(&f.kind.Name),
		"description":     f.text(&f.kind.Description),
		"tools":           f.tools,
		"model":           f.model,
		"effort":          f.effort,
		"isolation":       f.isolation,
		"labels":          f.labels,
		"idempotent":      f.idempotent,
		"permission_mode": f.mode,
		"max_steps":       f.steps,
		"mcp_servers":     f.servers,
		"skills":          f.skills,
	}
	if claude {
		keys["tools"], keys["model"] = f.claudeTools, f.claudeModel
		keys["effort"] = f.claudeEffort
		keys[claudeServers] = f.servers
		keys["disallowedTools"], keys["permissionMode"], keys["maxTurns"] = f.claudeWithout, f.claudeMode, f.steps
	}
	return keys
}

func (f *form) text(to *string) func(frontmatter.Field) error {
	return func(field frontmatter.Field) error {
		if field.Is != frontmatter.Scalar {
			return fmt.Errorf("%s takes a string, not a list", field.Key)
		}
		*to = words.Line(field.Text)
		return nil
	}
}

// claudeServers is the key that names servers in a shared file.
const claudeServers = "mcpServers"

// servers reads the names of MCP servers. Whether they are set up is not known here.
func (f *form) servers(field frontmatter.Field) error {
	f.kind.Servers = append([]string{}, field.Words()...)
	return nil
}

func (f *form) tools(field frontmatter.Field) error {
	f.kind.Tools = []string{}
	for _, word := range field.Words() {
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

func (f *form) model(field frontmatter.Field) error {
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

func (f *form) effort(field frontmatter.Field) error {
	f.kind.Effort = field.Text
	return lifecycle.CheckEffort(field.Text)
}

func (f *form) isolation(field frontmatter.Field) error {
	known := []lifecycle.Isolation{lifecycle.IsolationNone, lifecycle.IsolationWorktree, lifecycle.IsolationProcess, lifecycle.IsolationRemote}
	if !slices.Contains(known, lifecycle.Isolation(field.Text)) {
		return fmt.Errorf("isolation %q: must be none, process, remote or worktree", field.Text)
	}
	f.kind.Isolation = lifecycle.Isolation(field.Text)
	return nil
}

func (f *form) labels(field frontmatter.Field) error {
	f.kind.Labels = field.Words()
	return lifecycle.CheckLabels(f.kind.Labels)
}

func (f *form) idempotent(field frontmatter.Field) error {
	if field.Text != "true" && field.Text != "false" {
		return fmt.Errorf("idempotent %q: must be true or false", field.Text)
	}
	f.kind.Idempotent = field.Text == "true"
	return nil
}

func (f *form) mode(field frontmatter.Field) error {
	mode, err := permission.ParseMode(field.Text)
	if err != nil {
		return err
	}
	f.kind.Mode = string(mode)
	return nil
}

func (f *form) skills(field frontmatter.Field) error {
	f.kind.Skills = field.Words()
	return nil
}

func (f *form) steps(field frontmatter.Field) error {
	n, err := strconv.Atoi(field.Text)
	if err != nil || n < 1 {
		return fmt.Errorf("%s %q: must be a whole number, 1 or more", field.Key, field.Text)
	}
	f.kind.MaxSteps = stricterLimit(f.kind.MaxSteps, n)
	return nil
}

// wrong reports a problem, at the error's own line if it has one.
func (f *form) wrong(line int, err error) {
	if at, is := errors.AsType[*frontmatter.Error](err); is {
		line = cmp.Or(at.Line, line)
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
