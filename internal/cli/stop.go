package cli

import (
	"context"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/fleet"
	"pawl/internal/hosted"
	"pawl/internal/system"
)

// stopOptions say what of a session is stopped, and why.
type stopOptions struct {
	agent, reason string
	all, asJSON   bool
}

func newStopCommand(w *base.World) *cobra.Command {
	var o stopOptions
	cmd := &cobra.Command{
		Use:     "stop [ID]",
		Short:   "Stop what runs in an open session.",
		GroupID: command.GroupSessions,
		Long: `Stop the main agent of an open session, with the subagents that it waits for; with
--agent one subagent, with --all everything. What has ended stays as it is.

` + idMeans,
		Example: `  pawl stop 4f2a                 # the main agent and what it waits for
  pawl stop 4f2a --agent 9c1e --reason enough
  pawl stop 4f2a --all           # everything, commands in the background too`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), w, first(args)) },
	}
	cmd.Flags().StringVar(&o.agent, "agent", "", "The subagent with this `ID`, and nothing else.")
	cmd.Flags().BoolVar(&o.all, "all", false, "Everything, commands in the background too.")
	cmd.Flags().StringVar(&o.reason, "reason", "", "Why, as `TEXT`: the model reads it.")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, replyUsage)
	return cmd
}

func (o *stopOptions) run(ctx context.Context, w *base.World, name string) error {
	switch {
	case o.all && o.agent != "":
		return system.Usage("--all and --agent can't be used together")
	case o.all && o.reason != "":
		return system.Usage("--reason goes with one run, not with --all")
	}
	return withSession(ctx, w, name, "nothing runs in it; pawl show %s reads it", func(s *hosted.Session) error {
		var reply fleet.Reply
		var err error
		target := s.Named
		if o.agent != "" {
			if target, err = s.Member(ctx, *w, o.agent); err != nil {
				return err
			}
		}
		if o.all {
			reply, err = s.StopAll(ctx)
		} else {
			reply, err = s.Stop(ctx, target, o.reason)
		}
		return tellReply(w, o.asJSON, reply, err)
	})
}
