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

	"github.com/charmbracelet/x/term"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// unlimited lets a parent without a screen be woken as often as it takes: nobody
// else would ever deliver what it is owed.
const unlimited = -1

// runPrint is pawl -p: one prompt without a screen.
func runPrint(ctx context.Context, c *chatCommand, w base.World) (int, error) {
	if c.DrainTimeout < 0 {
		return host.ExitUsage, host.Usage(fmt.Sprintf("--drain-timeout %s: must be a duration such as 90s or 10m; leave it out for no limit", c.DrainTimeout))
	}
	prompt, err := c.opensWith(w)
	if err != nil {
		return host.ExitUsage, err
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a closed output is an error of its write
	h, err := openHouse(ctx, w, c, attendance{attended: c.talks(), whole: true, autoResumes: unlimited})
	if err != nil {
		return host.ExitError, err
	}
	if bad := badTypes(h.types); bad != "" {
		fmt.Fprintln(w.Err, "pawl: "+string(sanitize.Line(bad)))
	}
	h.tellLeftOut(ctx)
	w.Guard.Tell(guard.Session)
	signals, stop := guard.ExitSignals(w.Guard, nil)
	defer stop()
	defer h.Close(lifecycle.CauseProcessEnd) // of what was left behind
	defer h.tellDown()
	code, err := headless.Run(ctx, headless.Options{
		Route: h.supervisor, Snapshot: h.snapshot, Prompt: prompt, Reach: agent.Reach(strings.Join(c.Prompt, " ")),
		JSON: c.OutputFormat == "json", Stream: h.stream(c), StopAgents: c.Agents == "stop", DrainTimeout: c.DrainTimeout,
		Out: w.Out, Errors: w.Err, Progress: isTerminal(w.Err), Signals: signals,
		Hide: h.Models.Hide(), Demo: h.choices.Model() == models.Demo,
	})
	if errors.Is(err, headless.ErrNothingSaid) {
		return host.ExitUsage, host.Usage(err.Error())
	}
	return code, err
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(file.Fd())
}
