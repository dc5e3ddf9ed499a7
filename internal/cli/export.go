package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/stored"
)

func newExportCommand(w *base.World) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:     "export ID",
		Short:   "Write a session, with all its subagents and its trail, to a file.",
		GroupID: command.GroupSessions,
		Long: `Write a session, with all its subagents and its trail, to a file.

ID is the session: its id, or how that begins or ends.`,
		Example: `  pawl export 4f2a                         # pawl-….md in this folder, for reading
  pawl export 4f2a --format html           # one page with a picture of all runs
  pawl export 4f2a --brief -o -            # one page for a pull request
  pawl export 4f2a --format trace          # for Perfetto
  pawl export 4f2a --no-content            # structure only, safe to share
  pawl export 4f2a --format json -o -      # all of it, to standard output`,
		Args:              command.Takes("ID"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE:              func(cmd *cobra.Command, args []string) error { return exportSession(cmd.Context(), w, &o, args[0]) },
	}
	o.bind(cmd)
	return cmd
}

// exportSession writes a session, or an exported one again.
func exportSession(ctx context.Context, w *base.World, o *exportOptions, name string) error {
	if _, err := o.checked(); err != nil { // said before a long file is read
		return err
	}
	t, err := stored.Open(ctx, *w, name)
	if err != nil {
		return err
	}
	defer t.Close()
	return o.write(ctx, w, t.Source, t.Upto)
}
