package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
)

// newRecoverCommand ends landings and rewinds that were cut off. The guard starts it when Pawl has
// died.
func newRecoverCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:    "recover",
		Short:  "Finish or undo the landings and rewinds of Pawls that died.",
		Hidden: true,
		Args:   command.Takes(),
		RunE:   func(cmd *cobra.Command, _ []string) error { return recoverFolders(cmd.Context(), w) },
	}
}

func recoverFolders(ctx context.Context, w *base.World) error {
	lines, err := app.Recover(ctx, *w)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w.Out, line); err != nil {
			return err
		}
	}
	return nil
}
