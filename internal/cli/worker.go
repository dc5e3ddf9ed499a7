package cli

import (
	"github.com/spf13/cobra"

	"pawl/internal/app"
	"pawl/internal/base"
)

// newWorkerCommand is the other end of a run in a process of its own: one run, driven for the
// Pawl that started this process, whose pipe is standard input and output.
func newWorkerCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Run one subagent for the Pawl that started this process.",
		Hidden: true,
		Args:   takes(),
		RunE:   func(*cobra.Command, []string) error { return exit(app.RunWorker(*w)) },
	}
}
