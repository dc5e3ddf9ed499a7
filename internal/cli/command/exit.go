package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"pawl/internal/system"
)

// End is how a command ended whose exit code is not that of its error.
type End struct {
	Code int
	Err  error // nil: the command has said all there is to say
}

func (e *End) Error() string { return fmt.Sprintf("exit code %d: %v", e.Code, e.Err) }

// Unwrap returns what went wrong.
func (e *End) Unwrap() error { return e.Err }

// Ended is what a command returns that ended with this exit code and, unless it is nil, with err.
func Ended(code int, err error) error {
	if code == system.ExitDone {
		return err
	}
	return &End{code, err}
}

// ExitCode is the exit code of a command that returned err.
func ExitCode(err error) int {
	if err == nil {
		return system.ExitDone
	}
	if _, is := errors.AsType[*system.UsageError](err); is {
		return system.ExitUsage
	}
	if end, is := errors.AsType[*End](err); is {
		return end.Code
	}
	return system.ExitError
}

// Execute parses and runs a command line, and returns what the command returned. What else is wrong is
// cobra's, about the words: a usage error that says how the command is used.
func Execute(ctx context.Context, root *cobra.Command, args []string) error {
	began := false
	noteBegin(root, &began)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if _, is := errors.AsType[*system.UsageError](err); err == nil || began || is {
		return err
	}
	return system.Usage(fmt.Sprintf("%s (usage: %s; %s --help says more)", err, cmd.UseLine(), cmd.CommandPath()))
}

// noteBegin has the commands of a tree set began when they run.
func noteBegin(cmd *cobra.Command, began *bool) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*began = true
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		noteBegin(sub, began)
	}
}
