package commands

import (
	"context"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/internal/words"
)

// Request is a command as it was typed.
type Request struct {
	Context context.Context // ends the work for it
	Command Command
	Args    string
	// Program runs a line of the command's text and gives what it wrote, or in a line why it was
	// not run; nil runs none.
	Program func(line string) string
}

// Expanded is what a command becomes for a model.
type Expanded struct {
	Text   string
	Images []agent.Image
	// Names is the text in which names of files count as mentions: without what programs wrote.
	Names string
	Note  string // a few words for people, about what the model is not given
}

// mostPrograms bounds the programs of one command.
const mostPrograms = 20

// Expand puts arguments and the outputs of programs into their places. Arguments for which the text
// has no place follow it.
func Expand(r Request) Expanded {
	pieces := parse(r.Command.Body)
	all := split(r.Args)
	fill := func(p piece) string {
		switch {
		case p.kind == plain:
			return p.text
		case p.at == 0:
			return r.Args
		case p.at <= len(all):
			return all[p.at-1]
		}
		return ""
	}
	var text, names strings.Builder
	ran := 0
	for _, p := range pieces {
		if p.kind != program {
			text.WriteString(fill(p))
			names.WriteString(fill(p))
			continue
		}
		var line strings.Builder
		for _, part := range p.parts {
			line.WriteString(fill(part))
		}
		ran++
		text.WriteString(r.run(line.String(), ran))
		names.WriteString(" ")
	}
	if r.Args != "" && !takesArguments(pieces) {
		text.WriteString("\n\nARGUMENTS: " + r.Args)
	}
	return Expanded{Text: strings.TrimSpace(text.String()), Names: names.String()}
}

func (r Request) run(line string, count int) string {
	switch {
	case r.Program == nil:
		return fmt.Sprintf("[not run: %s]", words.CutLine(line, 200))
	case count > mostPrograms:
		return fmt.Sprintf("[not run, since a command may name %d programs: %s]", mostPrograms, words.CutLine(line, 200))
	}
	return r.Program(line)
}
