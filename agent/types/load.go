package types

import (
	"fmt"
	"slices"

	"pawl/agent"
)

// Options say where to look for types and what names are valid.
type Options struct {
	Config string // the user's config folder; empty: none
	Folder string // the project's folder

	Tools      []string // the existing working tools
	Delegation []string // the tools that subagents never get

	// CheckModel refuses a model that is not available; nil accepts all.
	CheckModel func(model string) error
	// ClaudeModel maps a Claude Code model name such as "sonnet" to a model, if it is
	// available here; nil maps none.
	ClaudeModel func(word string) (model string, ok bool)
}

// Found is what was found. The built-in types come first, then the others in the order in
// which they were read. Names are unique.
type Found struct {
	Types    []agent.Type
	Own      []agent.Type // Types without the project's
	Project  ProjectTypes
	Problems []Remark // files that cannot be used
	Notes    []Remark // what has no effect in files that can be used
}

// ProjectTypes are the types of a project. They must not be used before the user has seen them.
type ProjectTypes struct {
	Types   []agent.Type // as written in their files
	Content string       // changes when one of the files does
}

// Untrusted returns the result without the project's types.
func (f Found) Untrusted() Found {
	f.Types = f.Own
	return f
}

// Remark is one line about a file.
type Remark struct {
	Where string // FILE:LINE, or FILE
	Text  string
}

func (r Remark) String() string { return r.Where + ": " + r.Text }

// Load reads all types. It changes nothing and starts nothing.
func Load(o Options) Found {
	l := &loader{options: o, found: Found{Types: agent.BuiltinTypes()}}
	for _, own := range l.read(userFolder(o.Config)) {
		l.replace(own)
	}
	l.found.Own = slices.Clone(l.found.Types)
	files, done := projectFolder(o.Folder)
	defer done()
	l.found.Project.Types = l.project(files)
	for _, theirs := range l.found.Project.Types {
		l.add(theirs)
	}
	return l.found
}

// loader collects the result.
type loader struct {
	options Options
	found   Found
}

// project reads the types of the project, each name once.
func (l *loader) project(files source) []agent.Type {
	pawl := l.read(files.at(".pawl/agents", false))
	for _, shared := range l.read(files.at(".claude/agents", true)) {
		if same, taken := agent.FindType(pawl, shared.Name); taken {
			l.note(shared.Source, fmt.Sprintf("%s is used instead: it has the same name", same.Source))
			continue
		}
		pawl = append(pawl, shared)
	}
	return pawl
}

func (l *loader) index(name string) int {
	return slices.IndexFunc(l.found.Types, func(t agent.Type) bool { return t.Name == name })
}

// replace adds a type, replacing one of the same name.
func (l *loader) replace(t agent.Type) {
	if i := l.index(t.Name); i >= 0 {
		l.found.Types[i] = t
		return
	}
	l.found.Types = append(l.found.Types, t)
}

// add adds a project's type. It can narrow an existing type, never widen it.
func (l *loader) add(t agent.Type) {
	if i := l.index(t.Name); i >= 0 {
		base := l.found.Types[i]
		for _, tool := range t.Tools {
			if len(intersect([]string{tool}, base.Tools)) == 0 {
				l.note(t.Source, fmt.Sprintf("the tool %s is left out: the type %q does not have it (%s), and a project's file cannot add to it", tool, t.Name, base.Source))
			}
		}
		t = narrow(base, t)
	}
	l.replace(t)
}

func (l *loader) problem(where, text string) {
	l.found.Problems = append(l.found.Problems, Remark{where, text})
}

func (l *loader) note(where, text string) {
	l.found.Notes = append(l.found.Notes, Remark{where, text})
}
