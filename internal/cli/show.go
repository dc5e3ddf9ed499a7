package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pawl/export"
	"pawl/export/formats"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/stored"
)

func newShowCommand(w *base.World) *cobra.Command {
	var brief bool
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "Print a session's conversation and how its subagents ended.",
		GroupID: command.GroupSessions,
		Long: `Print a session's conversation and how its subagents ended.

ID is the session: its id, or how that begins or ends.`,
		Example: `  pawl show 4f2a                 # the end or the beginning of an id is enough
  pawl show 4f2a | less`,
		Args:              command.Takes("ID"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE:              func(cmd *cobra.Command, args []string) error { return show(cmd.Context(), w, args[0], brief) },
	}
	cmd.Flags().BoolVar(&brief, "brief", false, "One page: what was asked, who did what, how each\nended, what it cost.")
	return cmd
}

func show(ctx context.Context, w *base.World, session string, brief bool) error {
	b, err := stored.OpenDatabase(ctx, *w, session)
	if err != nil {
		return err
	}
	defer b.Close()
	source, seq, err := stored.FindSource(ctx, b, session)
	if err != nil {
		return err
	}
	return export.Write(ctx, w.Out, formats.Options{Format: formats.Markdown, Brief: brief}, source, source.Session.ID, seq)
}
