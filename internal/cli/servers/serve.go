package servers

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"pawl/agent/permission"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/launch"
	"pawl/internal/served"
	"pawl/internal/socket"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/tools/mcp/serve"
)

// serveOptions bound what another tool may start.
type serveOptions struct {
	model, effort, mode string
	trust               bool
}

func newServeCommand(w *base.World) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Be an MCP server, by which another tool delegates to Pawl.",
		Long: `Be an MCP server over standard input and output, by which another tool delegates to
Pawl: it starts sessions in this folder and below it, reads, continues and stops them.
Each is a session like any other: pawl ps lists it, pawl attach shows it, its questions
wait for you, and it goes on when the other tool has ended. A program starts this, not
a person.`,
		Example: `  claude mcp add pawl -- pawl mcp serve
  codex mcp add pawl -- pawl mcp serve --permission-mode plan`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), w) },
	}
	cmd.Flags().StringVar(&o.model, "model", "", "The model, as `PROVIDER/NAME`, unless a call names one.")
	cmd.Flags().StringVar(&o.effort, "effort", "", "How much the model thinks: the `LEVEL` low, medium, high\nor max, unless a call names one.")
	cmd.Flags().StringVar(&o.mode, "permission-mode", "", "The `MODE` of the sessions, and the freest that a call may\nask for: default, accept-edits, plan or bypass.")
	cmd.Flags().BoolVar(&o.trust, "trust", false, "Trust the folders of the sessions, as pawl --trust does.")
	return cmd
}

func (o serveOptions) run(ctx context.Context, w *base.World) error {
	b, err := base.New(*w)
	if err != nil {
		return err
	}
	defer b.Close()
	mode, err := permission.ParseMode(cmp.Or(o.mode, b.Settings.PermissionMode, string(permission.Default)))
	if err == nil && o.effort != "" {
		err = lifecycle.CheckEffort(o.effort)
	}
	if err == nil && o.model != "" {
		err = b.Models.Check(o.model)
	}
	if err != nil {
		return system.Usage(err.Error())
	}
	if err := mayServe(*w); err != nil {
		return err
	}
	// Its end, by a signal too, stops no session, unless the user wants that.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	sessions := served.New(*w, served.Options{Model: o.model, Effort: o.effort, Mode: mode, Trust: o.trust})
	err = serve.Serve(ctx, base.VersionText(), sessions, io.NopCloser(w.In), unclosed{w.Out})
	if b.Settings.OnHangup == "stop" {
		sessions.End()
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// mayServe refuses a terminal, and whoever was started by what a session has started: a command is to
// start no sessions that go on without it.
func mayServe(w base.World) error {
	if base.ReadsTerminal(w.In) {
		return system.Usage("a program speaks MCP with this over standard input and output, not a person: claude mcp add pawl -- pawl mcp serve, for example")
	}
	marked := slices.ContainsFunc(w.Environ, func(entry string) bool { return strings.HasPrefix(entry, launch.MarkName+"=") })
	if inside, err := socket.InSession(); err != nil || inside || marked {
		return system.Usage("pawl mcp serve cannot run inside a Pawl session: use a subagent instead")
	}
	return nil
}

// unclosed is an output that others close.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
