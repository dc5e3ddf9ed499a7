package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"pawl/agent"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// unlimited lets a parent without a screen be woken any number of times: nobody else would
// deliver its notifications.
const unlimited = -1

// PrintOptions say which session answers one prompt without a screen, and how.
type PrintOptions struct {
	app.Options
	Words        []string      // words of the command line, part of the prompt
	InputFormat  string        // text or stream-json
	OutputFormat string        // text, json or stream-json
	Partial      bool          // with stream-json: also partial messages
	Agents       string        // drain or stop
	DrainTimeout time.Duration // 0: no limit
}

// Print is pawl -p: one prompt without a screen. A session that a host drives is asked over its
// socket.
func Print(ctx context.Context, o PrintOptions, w base.World) (int, error) {
	if o.DrainTimeout < 0 {
		return system.ExitUsage, system.Usage(fmt.Sprintf("--drain-timeout %s: must be a duration such as 90s or 10m; leave it out for no limit", o.DrainTimeout))
	}
	prompt, err := o.opensWith(w)
	if err != nil {
		return system.ExitUsage, err
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a closed output is an error of its write
	options := o.Options
	options.Print, options.Attended, options.Whole, options.AutoResumes = true, o.talks(), true, unlimited
	h, driven, err := openOrFind(ctx, options, w)
	if err != nil {
		return system.ExitError, err
	}
	if h == nil {
		return o.printFrom(ctx, driven, prompt, w)
	}
	if bad := app.BadTypes(h.Types); bad != "" {
		w.Tell("%s", bad)
	}
	h.WarnLeftOut(ctx)
	w.Guard.Tell(guard.Session)
	signals, stop := guard.ExitSignals(w.Guard)
	defer stop()
	end := serveBeside(ctx, "pawl -p", options, w, h)
	code := 0
	defer func() {
		if code >= headless.ExitSIGHUP { // a signal has ended it
			h.Hurry()
		}
		defer hurriedBy(signals, h)()
		end(lifecycle.CauseProcessEnd) // ends what was left running
	}()
	defer h.WarnDown()
	code, err = headless.Run(ctx, headless.Options{
		Route: h.Supervisor, Snapshot: h.Snapshot, Prompt: prompt, Reach: agent.Reach(strings.Join(o.Words, " ")),
		JSON: o.OutputFormat == "json", Stream: streamOf(h, o), StopAgents: o.Agents == "stop", DrainTimeout: o.DrainTimeout,
		Out: w.Out, Errors: w.Err, Progress: base.WritesTerminal(w.Err), Signals: signals,
		Hide: h.Models.Hide(), Demo: h.Choices.Model() == models.Demo,
	})
	if errors.Is(err, headless.ErrNothingSaid) {
		return system.ExitUsage, system.Usage(err.Error())
	}
	return code, err
}
