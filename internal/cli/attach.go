package cli

import (
	"github.com/spf13/cobra"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
)

func newAttachCommand(w *base.World) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "attach [ID]",
		Short:   "Open a screen on a session, also on one that goes on elsewhere.",
		GroupID: command.GroupSessions,
		Long: `Open a screen on a session, whether something drives it already or not. Several
screens of one session are possible.

ID is a session: its id, or how that begins or ends. Without one it is the session of
this folder that needs you, else one that works, else the last one.`,
		Example: `  pawl attach          # the session of this folder that needs you most
  pawl attach 4f2a     # the one whose id begins or ends so`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := app.Options{Session: first(args), Continue: len(args) == 0}
			return command.Ended(host.Screen(cmd.Context(), o, *w))
		},
	}
	return cmd
}
