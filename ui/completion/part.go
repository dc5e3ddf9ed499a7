package completion

import (
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/sanitize"
)

// Kind is what a completion chooses from.
type Kind uint8

// The kinds.
const (
	Nothing Kind = iota
	Files
	Commands
	Words // of a command
)

// Command is a typed command, as far as it is completed.
type Command struct {
	Name  string // with its slash
	Help  sanitize.Text
	Words bool // those that it takes are known
	// Whole says that words are meant as they stand, listed or not; nil: none are.
	Whole func(words string) bool
	// Message says that what follows it is completed as in any message.
	Message bool
}

// Part is the piece of a line that is completed.
type Part struct {
	Kind    Kind
	From    int     // where in the line it begins
	Words   string  // what is typed of it, up to the cursor
	Command Command // whose words they are
}

// is says that both are the same piece, however much of it is typed.
func (p Part) is(other Part) bool {
	return p.Kind == other.Kind && p.From == other.From && p.Command.Name == other.Command.Name
}

// PartAt finds what is being typed at a cursor. Without commands the line takes none, and
// without files nothing is completed behind @.
func PartAt(text string, cursor int, commands []Command, files bool) Part {
	before := text[:cursor]
	if name, rest, spaced := strings.Cut(before, " "); commands != nil && strings.HasPrefix(name, "/") && !strings.ContainsAny(name[1:], "/\n\t") {
		if !spaced {
			return Part{Kind: Commands, Words: before}
		}
		i := slices.IndexFunc(commands, func(c Command) bool { return c.Name == name })
		if i >= 0 && commands[i].Words && !strings.Contains(rest, "\n") {
			return Part{Kind: Words, From: len(name) + 1, Words: rest, Command: commands[i]}
		}
		if i >= 0 && !commands[i].Message {
			return Part{}
		}
	}
	if !files {
		return Part{}
	}
	start, name, ok := agent.MentionAt(text, cursor)
	if !ok {
		return Part{}
	}
	return Part{Kind: Files, From: start, Words: name}
}
