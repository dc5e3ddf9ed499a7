package commands

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"pawl/agent/frontmatter"
	"pawl/agent/types"
)

// Options say where to look for commands and what is valid in them.
type Options struct {
	frontmatter.Where
	Reserved []string // names that no file's command can have: those of the screen
	Words             // what is valid behind the keys
}

// Words say which values are valid in such files.
type Words struct {
	// CheckModel refuses a model that is not available; nil accepts all.
	CheckModel func(model string) error
	// ClaudeModel maps a model name of Claude Code such as "sonnet" to a model, if it is available
	// here; nil maps none.
	ClaudeModel func(word string) (model string, ok bool)
}

// Found is what was found.
type Found struct {
	Commands []Command // of files, in the order in which a name is looked for; a name may be there more than once
	Problems []types.Remark
	Notes    []types.Remark
	// Sums are the digests of the files of projects as they were read, by their whole paths.
	Sums map[string]string
}

// Load reads all commands of files. It changes nothing and starts nothing.
func Load(o Options) Found {
	l := &loader{options: o}
	l.found.Sums = map[string]string{}
	places, done := o.Places("commands", ".pawl", ".claude")
	defer done()
	for _, place := range places {
		l.read(place)
	}
	return l.found
}

// loader collects the result.
type loader struct {
	options Options
	found   Found
}

func (l *loader) read(place frontmatter.Place) {
	names, err := place.List(place.Folder)
	if err != nil {
		l.problem(place.Spell(place.Folder), err.Error())
	}
	for _, file := range names {
		text, sum, err := place.ReadSum(file)
		source := place.Spell(file)
		if err != nil {
			l.problem(source, err.Error())
			continue
		}
		if place.Project {
			l.found.Sums[place.Path(file)] = sum
		}
		name := nameOf(strings.TrimPrefix(file, place.Folder+"/"))
		if err := checkName(name); err != nil {
			l.problem(source, err.Error())
			continue
		}
		command := Command{Name: name, File: place.Path(file), Source: source, Owner: place.Owner(), AtTop: place.AtTop}
		notes, err := command.fill(text, l.options.Words)
		if err != nil {
			l.problem(source, err.Error())
			continue
		}
		for _, note := range notes {
			l.note(source, note)
		}
		l.add(command)
	}
}

// add adds a command, unless its name is taken by one of Pawl's own.
func (l *loader) add(c Command) {
	own := slices.ContainsFunc(Builtin(), func(b Command) bool { return b.Name == c.Name }) && c.Owner != "user"
	if own || slices.Contains(l.options.Reserved, c.Name) {
		l.note(c.Source, fmt.Sprintf("it is not used: /%s is Pawl's own; rename the file to use it", c.Name))
		return
	}
	if i := slices.IndexFunc(l.found.Commands, func(other Command) bool { return other.Name == c.Name }); i >= 0 {
		l.note(c.Source, fmt.Sprintf("%s is used instead: it has the same name", l.found.Commands[i].Source))
	}
	l.found.Commands = append(l.found.Commands, c)
}

// nameOf is the name of a file's command: its folders and its name, with colons between them.
func nameOf(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(file, path.Ext(file)), "/", ":")
}

func (l *loader) problem(where, text string) {
	l.found.Problems = append(l.found.Problems, types.Remark{Where: where, Text: text})
}

func (l *loader) note(where, text string) {
	l.found.Notes = append(l.found.Notes, types.Remark{Where: where, Text: text})
}

// Used are the commands that can be typed: the first of each name; those of files go before Pawl's
// own, and these before others.
func Used(all []Command, others ...Command) []Command {
	var used []Command
	for _, c := range slices.Concat(all, Builtin(), others) {
		if !slices.ContainsFunc(used, func(other Command) bool { return other.Name == c.Name }) {
			used = append(used, c)
		}
	}
	slices.SortStableFunc(used, func(a, b Command) int { return strings.Compare(a.Name, b.Name) })
	return used
}
