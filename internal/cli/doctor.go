package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/doctor"
	"pawl/internal/system"
)

// newDoctorCommand is pawl doctor. It changes nothing and shows no value of a variable
// that holds a key. It asks the servers of models for their lists, and starts the
// MCP servers that Pawl would start.
//
//	folders ─► settings ─► this folder ─► models ─► agent types ─► permissions ─► hooks ─► telemetry ─► terminal
//	        ─► database ─► sessions ─► hosts ─► servers ─► checkout ─► machines ─► processes ─► sandbox
func newDoctorCommand(w *base.World) *cobra.Command {
	var asJSON, offline bool
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Check everything Pawl needs, and say what is wrong.",
		GroupID: command.GroupSetup,
		Long:    "Check everything Pawl needs, and say what is wrong and how to fix it.",
		Example: `  pawl doctor                    # everything, the servers too
  pawl doctor --offline --json`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return examine(cmd.Context(), w, offline, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	cmd.Flags().BoolVar(&offline, "offline", false, "Ask no server, and start none.")
	return cmd
}

func examine(ctx context.Context, w *base.World, offline, asJSON bool) error {
	e := doctor.Examine(ctx, *w, offline)
	code := system.ExitDone
	if len(e.Problems()) > 0 {
		code = system.ExitError
	}
	if asJSON {
		return command.Ended(code, e.Models.Hide().Encode(w.Out, e.Report()))
	}
	return command.Ended(code, e.Print(w.Out, base.LookOf(*w)))
}
