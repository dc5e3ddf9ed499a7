package process

import (
	"os"
	"time"

	"pawl/tools/outputs"
)

// Command is a program to run.
type Command struct {
	Name    string   // a path, or a name that is looked up on PATH
	Args    []string // without the name
	Folder  string   // where it runs
	Environ []string // added to the clean environment, as NAME=value
	// Own says that Pawl picks the program by its name, not the user or a model: neither it nor what
	// it starts by a name is taken from a folder in which models may write.
	Own bool
	// Closed runs it in the sandbox for commands that nobody was asked about. The launcher must
	// have a sandbox.
	Closed bool
	// Reads, with Closed, also keeps it from changing any file. What Hidden names it sees: it was
	// allowed for what it names.
	Reads bool
	Limit time.Duration // after which it is stopped; 0: there is none
	// Stdin and Stdout, where they are set, are handed to the program as they are:
	// Output is then standard error alone. Whoever opened them closes them when
	// Run has returned.
	Stdin, Stdout *os.File
	// Outputs gets the whole of an output that is longer than Output holds. Nil:
	// then it is lost.
	Outputs *outputs.Store
	// Latest is told the newest line of output, some times a second while there
	// is a new one, on the goroutine that called Run. Nil is allowed.
	Latest func(line string)
	// Watched is given what reads the output so far, from any goroutine, before the
	// program starts. Nil is allowed.
	Watched func(output func() Output)
}

// Line is the command line of a ShellCommand.
func (c Command) Line() string { return c.Args[len(c.Args)-1] }
