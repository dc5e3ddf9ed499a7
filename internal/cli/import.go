package cli

import (
	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
)

func newImportCommand(w *base.World) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:     "import FILE|ID",
		Short:   "Open an exported session, or write it again in another format.",
		GroupID: command.GroupSessions,
		Long: `Open a session that was exported as JSON, or write it again in another format.

FILE is what pawl export --format json wrote, or - for standard input.
ID is a session: its id, or how that begins or ends.`,
		Example: `  pawl import run.json                     # on the screen, read only
  pawl import run.json --format html       # the same as a page
  cat run.json | pawl import - --format md -o -`,
		Args:              command.Takes("FILE or ID"),
		ValidArgsFunction: completeRecordings(w),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.given() {
				return exportSession(cmd.Context(), w, &o, args[0])
			}
			return command.Ended(host.Replay(cmd.Context(), *w, args[0], nil))
		},
	}
	o.bind(cmd)
	return cmd
}
