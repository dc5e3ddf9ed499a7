package commands

import (
	"slices"
	"strings"
	"unicode"
)

// Command is a text that a person sends by a name.
type Command struct {
	Name        string   // without the slash: "review", "frontend:test"
	Description string   // a line for people
	Hint        string   // its arguments, as its author writes them: "[pr-number]"
	Model       string   // of the run that it starts: PROVIDER/NAME; empty: the session's
	Effort      string   // likewise
	Allowed     []string // what the run that it starts may do at most, as lifecycle.Spec.Allowed; nil: that is not narrowed
	Body        string
	Folder      string // the folder of a skill, as a whole path; empty for others
	File        string // its whole path; empty if it stands in none
	Source      string // the file it stands in, or SourceBuiltin
	AtTop       bool   // it is that of the checkout's top folder, in which Pawl does not stand
	Owner       string // whose it is: OwnerPawl, "project", "user", or of servers what they are
}

// SourceBuiltin is the Source of Pawl's own commands, and OwnerPawl their Owner.
const (
	SourceBuiltin = "built in"
	OwnerPawl     = "pawl"
)

// Parse splits a message that begins with a command: "/name arguments". What has a second slash in
// its first word is a path.
func Parse(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	end := strings.IndexFunc(rest, unicode.IsSpace)
	if end < 0 {
		end = len(rest)
	}
	name = rest[:end]
	if name == "" || strings.Contains(name, "/") {
		return "", "", false
	}
	return name, strings.TrimSpace(rest[end:]), true
}

// Find finds a command by the name that is typed. One of a subfolder is also found by its last
// word, where only one has it: /test for frontend:test.
func Find(all []Command, name string) (Command, bool) {
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name }); i >= 0 {
		return all[i], true
	}
	var found []Command
	for _, c := range all {
		if strings.HasSuffix(c.Name, ":"+name) {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return Command{}, false
	}
	return found[0], true
}

// Elsewhere are commands that stand in no file, such as the prompts of servers. Its functions may be
// called from any goroutine.
type Elsewhere struct {
	// List is what there is now. It waits for nothing.
	List func() []Command
	// Expand gives what such a command becomes for a model; the error is one line for people.
	Expand func(run Request) (Expanded, error)
}
