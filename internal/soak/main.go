package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"

	"pawl/internal/words"
)

func main() {
	ctx, stop := interruptible()
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// interruptible is a context that ends with a signal: what is being played is then cut short, and
// says so.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// run is the whole program, in the module's root.
func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	slice := flags.String("slice", "1/1", "play the `k/n`-th slice of the soak")
	folder := flags.String("out", ".soak", "the `folder` of the results, and of what fuzzing has gathered")
	only := flags.String("part", "", "play only parts whose name matches this `pattern`")
	page := flags.String("write", "", "play nothing: write this `page` of the results in -out, in the folders that follow, and of those kept of earlier pages")
	list := flags.Bool("list", false, "play nothing: list the parts of the slice, with the minutes that each takes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	parts, err := table(".")
	if err != nil {
		return err
	}
	if *page != "" {
		return writePage(ctx, *page, parts, append([]string{*folder}, flags.Args()...))
	}
	pieces, err := dealt(parts, *slice)
	if err != nil {
		return err
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	pieces = filtered(pieces, func(p part) bool { return chosen.MatchString(p.Name) })
	fmt.Fprintf(out, "slice %s: %s, about %.0f minutes\n", *slice, words.Count(len(pieces), "piece"), minutes(pieces))
	if *list {
		for _, p := range pieces {
			fmt.Fprintf(out, "%5.1f  %s\n", p.Minutes, p.Name)
		}
		return nil
	}
	r := runner{root: ".", out: *folder, say: out}
	if r.state, err = here(ctx, r.root); err != nil {
		return err
	}
	return r.playAll(ctx, pieces)
}

// errUnsound says that something failed, was cut short or did not run; what has been printed.
var errUnsound = errors.New("not all of it was played and passed: see above")
