package cli

import (
	"github.com/spf13/cobra"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/remoterun"
)

// newRunWorkerCommand is the other end of a run in a process of its own: one run, driven for the
// Pawl that started this process, whose pipe is standard input and output.
func newRunWorkerCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:       "run-worker",
		Short:     "Run one subagent for the Pawl that started this process.",
		Hidden:    true,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{remoterun.Placed},
		RunE:      func(_ *cobra.Command, args []string) error { return command.Ended(app.RunWorker(*w, len(args) == 1)) },
	}
}
