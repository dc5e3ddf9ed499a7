package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pawl/agent/permission"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools/process"
)

const (
	setupLimit = 10 * time.Minute // for the command that sets up a worktree
	setupTail  = 600              // characters of its output in an error
)

// worktreeSetup runs the command line of the setting worktree.setup in a new worktree, in the sandbox
// that the commands of the run's model get; nil: there is none.
func (h *Session) worktreeSetup() func(context.Context, lifecycle.Run, func(string)) error {
	line := h.Settings.Worktree.Setup
	if line == "" {
		return nil
	}
	return func(ctx context.Context, run lifecycle.Run, latest func(string)) error {
		rules, err := h.rules(run)
		switch {
		case err != nil:
			return err
		case rules.Untrusted:
			return fmt.Errorf("worktree.setup (%s) is not run: %s", words.CutLine(line, 60), notTrusted)
		case h.Choices.Mode() == permission.Plan:
			return fmt.Errorf("worktree.setup (%s) is not run in plan mode, which only reads: send this subagent without a worktree, or later", words.CutLine(line, 60))
		}
		launcher := rules.commands(run)
		command := launcher.ShellCommand(line, run.Folder)
		command.Limit, command.Latest = setupLimit, latest
		done, err := launcher.Run(ctx, command)
		return setupError(ctx, line, done, err)
	}
}

// setupError is how a setup failed, with the end of what it wrote; nil: it did not.
func setupError(ctx context.Context, line string, done process.Finished, err error) error {
	how := ""
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		how = "could not be run: " + err.Error()
	case done.Stopped == process.StopTimeLimit:
		how = "took longer than " + words.Duration(setupLimit)
	case done.ExitCode != 0:
		how = fmt.Sprintf("failed with exit code %d", done.ExitCode)
	default:
		return nil
	}
	text := fmt.Sprintf("worktree.setup (%s) %s, so the subagent was not started", words.CutLine(line, 60), how)
	if said := strings.Join(strings.Fields(done.Output.End(setupTail)), " "); said != "" {
		text += "; it ended with: " + said
	}
	if done.Sandboxed != "" {
		text += " (" + done.Sandboxed + ")"
	}
	return errors.New(text)
}
