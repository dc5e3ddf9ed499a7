package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/tools/process"
)

// inlineLimit is how long a command may take whose output is put into a text.
const inlineLimit = 10 * time.Second

// Inline runs a command line whose output is put into a text for a model, and gives that: what it
// wrote, bounded, and how it failed. The caller has seen to its permission, which allowed is.
func Inline(ctx context.Context, launcher *process.Launcher, folder, line string, allowed agent.Decision) string {
	command := commandLine(launcher, line, folder)
	command.Limit = inlineLimit
	command.Environ = append(command.Environ, allowed.Environ...)
	command.Closed, command.Reads = allowed.Closed, allowed.Reads
	done, err := launcher.Run(ctx, command)
	text, _ := done.Output.Text(shellOutput)
	text = strings.TrimRight(text, "\n")
	switch {
	case err != nil:
		text += "\n[it could not be run: " + words.Line(err.Error()) + "]"
	case done.Stopped == process.StopTimeLimit:
		text += fmt.Sprintf("\n[stopped after %s]", words.Duration(inlineLimit))
	case done.Stopped != process.NotStopped:
		text += "\n[stopped]"
	case done.ExitCode != 0:
		text += fmt.Sprintf("\n[exit code %d]", done.ExitCode)
	case text == "": // or the sentence around it would read as if there were no command in it
		text = "(it printed nothing)"
	}
	return strings.TrimLeft(text, "\n")
}
