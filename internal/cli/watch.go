package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/hosted"
)

func newWatchCommand(w *base.World) *cobra.Command {
	var from int
	var partial bool
	cmd := &cobra.Command{
		Use:     "watch [ID]",
		Short:   "Print what happens in an open session, a line of JSON each.",
		GroupID: command.GroupSessions,
		Long: `Print what happens in an open session as it happens, a line of JSON each, until the
session is closed: what pawl -p --output-format stream-json writes. Ctrl+C ends the watch
and stops nothing.

` + idMeans,
		Example: `  pawl watch 4f2a                # from now on
  pawl watch 4f2a --from 0       # from its first record on
  pawl watch 4f2a | jq -r 'select(.event == "text") | .data.text'`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		begin := &from
		if !cmd.Flags().Changed("from") {
			begin = nil
		}
		return watch(cmd.Context(), w, first(args), begin, partial)
	}
	cmd.Flags().IntVar(&from, "from", 0, "Begin behind the record `N`: 0 for all, the last one\nseen to go on. By default what happens from now on.")
	cmd.Flags().BoolVar(&partial, "partial", false, "Also what is being written, before it is recorded.")
	return cmd
}

func watch(ctx context.Context, w *base.World, name string, from *int, partial bool) error {
	return withSession(ctx, w, name, "pawl show %[1]s reads it, pawl export %[1]s --format json has its records", func(s *hosted.Session) error {
		return s.Watch(w.Out, from, partial)
	})
}
