package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Editor is the user's own program for writing, the only one that gets the terminal.
// Unlike what Launcher starts it is no tool of a model: it has the user's whole
// environment, but no program from Folder, and stands in the process group of whoever starts it, which has to be
// the terminal's: so the terminal is its own, and Ctrl+Z in it suspends both together.
type Editor struct {
	Command string // a command line for sh, as $EDITOR holds it: "code --wait"
	Folder  string // where it runs
	Environ []string
	In, Out *os.File // the terminal
}

// editorsGrace is how long an editor may take to leave once it is told to.
const editorsGrace = time.Second

// usualEditors are tried where no variable names one, in this order.
var usualEditors = []string{"nano", "vim", "vi"}

// EditorCommand is the user's choice: $VISUAL, else $EDITOR, else the first usual
// editor that there is. Empty: there is none.
func EditorCommand(lookup func(name string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.TrimSpace(lookup(name)); command != "" {
			return command
		}
	}
	for _, name := range usualEditors {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return ""
}

// MissingEditor is the program of a command line, if there is none of that name; empty
// where there is one, or where the shell alone knows which it is.
func MissingEditor(command string) string {
	program, _, _ := strings.Cut(command, " ")
	if program == "" || strings.ContainsAny(program, "'\"$=~\\") {
		return ""
	}
	if _, err := exec.LookPath(program); err == nil {
		return ""
	}
	return program
}

// Edit opens a file and returns when the editor has ended, at the latest a moment
// after ctx has. An error says in one line that it did not end well.
func (e Editor) Edit(ctx context.Context, path string) error {
	launcher := &Launcher{Environ: func() []string { return e.Environ }}
	shell, err := launcher.own(Command{Name: "sh", Folder: e.Folder})
	if err != nil {
		return fmt.Errorf("your editor: %w", err)
	}
	cmd := exec.CommandContext(ctx, shell.Name, "-c", e.Command+` "$@"`, "sh", path)
	cmd.Dir, cmd.Env = e.Folder, slices.Concat(e.Environ, shell.Environ)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.In, e.Out, e.Out
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = editorsGrace
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("your editor was ended: %w", context.Cause(ctx))
	case errors.As(err, &exit) && exit.ExitCode() == 127:
		return fmt.Errorf("%s was not found: set VISUAL or EDITOR to your editor", e.Command)
	case errors.As(err, &exit) && exit.Exited():
		return fmt.Errorf("your editor ended with exit code %d", exit.ExitCode())
	}
	return fmt.Errorf("your editor: %w", err)
}
