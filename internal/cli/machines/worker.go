package machines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"pawl/agent/remote"
	"pawl/agent/settings"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/machines"
	"pawl/internal/machines/worker"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// workerOptions are what a command line asks for.
type workerOptions struct {
	nats, creds, accept, serve string
	slots                      int
	labels                     []string
}

// mostSlots bounds the slots of a worker: each takes a process, and megabytes.
const mostSlots = 1000

// NewWorker makes pawl worker.
func NewWorker(w *base.World) *cobra.Command {
	var o workerOptions
	cmd := &cobra.Command{
		Use:     "worker",
		Short:   "Let this machine work at subagents of other machines.",
		GroupID: command.GroupSetup,
		Long: `Let this machine work at subagents of other machines: those with isolation "remote".
It takes them from a NATS server with JetStream, runs each in a process, a checkout and
a sandbox of its own, and ends them when it ends. --serve starts such a server here,
with a key and a certificate of its own, and says what to do on the other machines;
pawl help machines says more.`,
		Example: `  pawl worker --serve :4222                # a server and its first worker, in one
  pawl worker --nats tls://build:4222      # a worker of the server there
  pawl worker --slots 8 --labels gpu,linux # of the server in the settings`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), *w) },
	}
	cmd.Flags().StringVar(&o.nats, "nats", "", "The `URL` of the NATS server; else that of [remote] in the\nsettings.")
	cmd.Flags().StringVar(&o.creds, "creds", "", "The `FILE` with the credentials for it; else that of\n[remote], or remote.creds in the config folder.")
	cmd.Flags().IntVar(&o.slots, "slots", runtime.NumCPU(), "How many runs it takes at once, `N`.")
	cmd.Flags().StringSliceVar(&o.labels, "labels", nil, "What this machine has, at most 5 `LABELS` such as gpu,linux:\nruns of types with labels go to workers that have all of them.")
	cmd.Flags().StringVar(&o.accept, "accept", "", "A `FILE` with the public keys of users whose runs it takes,\none a line, beside those of its own user.")
	cmd.Flags().StringVar(&o.serve, "serve", "", "Start a server too, at this `ADDRESS`: HOST:PORT, or :PORT\nfor every address.")
	return cmd
}

func (o workerOptions) run(ctx context.Context, w base.World) error {
	b, err := base.New(w)
	if err != nil {
		return err
	}
	defer b.Close()
	keys, err := o.check(b)
	if err != nil {
		return system.Usage(err.Error())
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := o.work(ctx, b, keys); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// check refuses what cannot be meant, and reads the keys of those whose runs are taken.
func (o *workerOptions) check(b *base.Base) (keys []string, err error) {
	own := b.Settings.Remote
	switch {
	case o.slots < 1 || o.slots > mostSlots:
		return nil, fmt.Errorf("--slots %d: must be a number from 1 to %d", o.slots, mostSlots)
	case o.serve != "" && (o.nats != "" || o.creds != ""):
		return nil, errors.New("--serve starts a server and has the credentials for it: leave --nats and --creds out")
	}
	if err := lifecycle.CheckLabels(o.labels); err != nil {
		return nil, fmt.Errorf("--labels: %w", err)
	}
	if o.accept != "" {
		if keys, err = machines.ReadKeys(o.accept); err != nil {
			return nil, fmt.Errorf("--accept: %w", err)
		}
	}
	if o.serve != "" {
		return keys, checkAddress(o.serve)
	}
	if o.nats != "" {
		if err := settings.CheckNATS(o.nats); err != nil {
			return nil, fmt.Errorf("--nats %w", err)
		}
	}
	if o.nats = cmp.Or(o.nats, own.NATS); o.nats == "" {
		return nil, fmt.Errorf("no server is named: --nats URL, or nats in [remote] of %s; --serve :4222 starts one", base.ShortPath(b.Folders.ConfigFile()))
	}
	if o.creds = cmp.Or(o.creds, own.CredsFile(b.Folders)); o.creds != "" {
		if _, err := os.Stat(o.creds); err != nil {
			return nil, fmt.Errorf("the credentials %s cannot be read (%s)", o.creds, base.Reason(err))
		}
	}
	return keys, nil
}

// work connects, and takes runs until ctx ends.
func (o workerOptions) work(ctx context.Context, b *base.Base, keys []string) error {
	tell := func(line string) { b.World.Tell("%s", line) }
	if o.serve != "" {
		s, err := startServer(ctx, b, o.serve)
		if err != nil {
			return err
		}
		defer s.stop()
		var gone context.CancelCauseFunc
		ctx, gone = context.WithCancelCause(ctx)
		defer gone(nil)
		defer context.AfterFunc(s.gone, func() { gone(context.Cause(s.gone)) })()
		o.nats, o.creds = s.URL, s.Creds
		if _, err := fmt.Fprint(b.World.Out, s.Says); err != nil {
			return err
		}
	}
	name, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("read the name of this machine: %w", err)
	}
	link, err := machines.Dial(ctx, machines.Options{
		URL: o.nats, Creds: o.creds, CA: b.Settings.Remote.CAFile(), Name: "pawl worker on " + name, Warn: tell,
	})
	if err != nil {
		return err
	}
	defer link.Close()
	places, err := app.OpenWorkplaces(ctx, b, link)
	if err != nil {
		return err
	}
	defer places.Close()
	if !link.TLS() {
		tell("the connection is not encrypted: keys of models are not lent to it, and others on the way can read what it works at")
	}
	tell(o.begins(name, link.Address()))
	err = worker.Serve(ctx, worker.Options{
		Link: link, Name: name, Machine: name, Version: base.ShortVersion(), Protocol: remote.Protocol,
		Slots: o.slots, Labels: o.labels, Accept: keys, Prepare: places.Prepare, Load: system.Load, Say: tell,
	})
	return cmp.Or(err, context.Cause(ctx))
}

// begins says what this worker takes.
func (o workerOptions) begins(name, address string) string {
	line := fmt.Sprintf("%s works for %s: %s at once", name, address, words.Count(o.slots, "run"))
	if len(o.labels) > 0 {
		line += ", labels " + strings.Join(o.labels, ", ")
	}
	return line + " · Ctrl+C ends it, and them"
}
