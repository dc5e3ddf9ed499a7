package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"pawl/internal/system"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program, but for its process. It returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	o, err := parse(args, out)
	if err == nil && o != nil {
		err = serve(ctx, *o, in, out, errs)
	}
	var usage *system.UsageError
	switch {
	case err == nil:
		return system.ExitDone
	case errors.As(err, &usage):
		fmt.Fprintln(errs, "pawl-server: "+usage.Message)
		return system.ExitUsage
	}
	fmt.Fprintln(errs, "pawl-server: "+strings.ReplaceAll(err.Error(), "\n", " · "))
	return system.ExitError
}
