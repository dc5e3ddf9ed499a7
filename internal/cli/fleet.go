package cli

import (
	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/host"
)

func newFleetCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:     "fleet [ID]",
		Short:   "Show all sessions of all folders on one screen: who needs you, what works.",
		GroupID: groupSessions,
		Long: `Show all sessions of all folders on one screen: who needs you, what works, what has
ended. There you answer questions, look into sessions, write to them, stop and open them.

ID is the session that is selected first: its id, or how that begins or ends.`,
		Example: `  pawl fleet           # all sessions, those that need you first
  pawl fleet 4f2a      # with this one selected`,
		Args:              takes("[ID]"),
		ValidArgsFunction: firstArgument(completeSessions(w)),
		RunE: func(cmd *cobra.Command, args []string) error {
			selected := ""
			if len(args) > 0 {
				selected = args[0]
			}
			return exit(host.Fleet(cmd.Context(), *w, selected))
		},
	}
}
