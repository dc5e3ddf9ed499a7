package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pawl/agent/remote"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
	"pawl/internal/machines"
	"pawl/internal/system"
)

func newFleetCommand(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "fleet [ID]",
		Short:   "Show all sessions of all folders on one screen: who needs you, what works.",
		GroupID: command.GroupSessions,
		Long: `Show all sessions of all folders on one screen: who needs you, what works, what has
ended. There you answer questions, look into sessions, write to them, stop and open them.
w shows the workers: the machines that take subagents of others.

ID is the session that is selected first: its id, or how that begins or ends.`,
		Example: `  pawl fleet           # all sessions, those that need you first
  pawl fleet 4f2a      # with this one selected
  pawl fleet --json | jq '.workers[] | {name, busy, slots}'`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				return printFleet(cmd.Context(), w)
			}
			return command.Ended(host.Fleet(cmd.Context(), *w, first(args)))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "For programs: one JSON object, with the open sessions and\nthe workers.")
	return cmd
}

// fleetJSON is what fleet --json prints.
type fleetJSON struct {
	openSessions
	Workers []workerJSON `json:"workers"`
}

// workerJSON is a machine that takes runs of others.
type workerJSON struct {
	machines.WorkerInfo
	Fits bool `json:"fits"` // it takes runs of this version
}

func printFleet(ctx context.Context, w *base.World) error {
	b, err := base.New(*w)
	if err != nil {
		return err
	}
	defer b.Close()
	all := fleetJSON{Workers: []workerJSON{}}
	if all.openSessions, err = listOpen(ctx); err != nil {
		return err
	}
	if b.Settings.Remote.On() {
		if all.Workers, err = listWorkers(ctx, b); err != nil {
			w.Tell("%s", err)
		}
	}
	code := system.ExitDone
	if err != nil {
		code = system.ExitError
	}
	return command.Ended(code, b.Models.Hide().Encode(w.Out, all))
}

func listWorkers(ctx context.Context, b *base.Base) ([]workerJSON, error) {
	all := []workerJSON{}
	link, err := host.DialMachines(ctx, b, "pawl fleet")
	if err != nil {
		return all, err
	}
	defer link.Close()
	found, err := link.Workers(ctx)
	for _, one := range found {
		all = append(all, workerJSON{one, one.Protocol == remote.Protocol})
	}
	return all, err
}
