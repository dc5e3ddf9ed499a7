package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/system"
)

// Execute parses and runs one command line and returns the exit code. It prints
// what went wrong in one line; nothing else in the program writes to w.Err on the
// way out.
func Execute(ctx context.Context, args []string, w base.World) int {
	code, err := run(ctx, args, &w)
	if err == nil {
		return code
	}
	var usage *system.UsageError
	if errors.As(err, &usage) {
		for line := range strings.SplitSeq(usage.Message, "\n") { // one for each setting that cannot be used
			w.Tell("%s", line)
		}
		return system.ExitUsage
	}
	w.Tell("%s", err)
	return max(code, system.ExitError)
}

// run is Execute without its last words.
func run(ctx context.Context, args []string, w *base.World) (code int, err error) {
	defer func() {
		if r := recover(); r != nil {
			code, err = system.ExitError, base.ReportBug(r)
		}
	}()
	root, args := parserOf(args, w)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	var end *command.End
	switch {
	case err == nil:
		return system.ExitDone, nil
	case errors.As(err, &end):
		return end.Code, end.Err
	}
	return system.ExitUsage, system.Usage(fmt.Sprintf("%s (usage: %s; %s --help says more)", err, cmd.UseLine(), cmd.CommandPath()))
}
