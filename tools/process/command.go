package process

import (
	"os"
	"os/exec"
	"time"

	"pawl/tools/outputs"
)

// Command is a program to run.
type Command struct {
	Name    string   // a path, or a name that is looked up on PATH
	Args    []string // without the name
	Folder  string   // where it runs
	Environ []string // added to the clean environment, as NAME=value
	// Closed runs it in the sandbox for commands that nobody was asked about. The launcher must
	// have a sandbox.
	Closed bool
	Limit  time.Duration // after which it is stopped; 0: there is none
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

// ShellCommand is a command line for bash, or for sh where there is no bash.
func ShellCommand(line string) Command {
	name := "sh"
	if path, err := exec.LookPath("bash"); err == nil {
		name = path
	}
	return Command{Name: name, Args: []string{"-c", line}}
}
