package cli

import (
	"context"
	"errors"
	"strings"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/system"
)

// Execute parses and runs one command line and returns the exit code. It prints
// what went wrong in one line; nothing else in the program writes to w.Err on the
// way out.
func Execute(ctx context.Context, args []string, w base.World) int {
	err := run(ctx, args, &w)
	code := command.ExitCode(err)
	if end, is := errors.AsType[*command.End](err); is {
		err = end.Err
	}
	if usage, is := errors.AsType[*system.UsageError](err); is {
		for line := range strings.SplitSeq(usage.Message, "\n") { // one for each setting that cannot be used
			w.Tell("%s", line)
		}
	} else if err != nil {
		w.Tell("%s", err)
	}
	return code
}

// run is Execute without its last words.
func run(ctx context.Context, args []string, w *base.World) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = base.ReportBug(r)
		}
	}()
	root, args := parserOf(args, w)
	return command.Execute(ctx, root, args)
}
