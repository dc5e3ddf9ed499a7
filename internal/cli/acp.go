package cli

import (
	"github.com/spf13/cobra"

	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
)

func newACPCommand(w *base.World) *cobra.Command {
	var o modelOptions
	var trust bool
	cmd := &cobra.Command{
		Use:     "acp",
		Short:   "Serve an editor, by the Agent Client Protocol.",
		GroupID: command.GroupMore,
		Long:    "Serve an editor over standard input and output, by the Agent Client Protocol.",
		Example: `  pawl acp                       # what an editor starts: pawl help editors says how to set it up
  pawl acp --model anthropic/claude-sonnet-4-5 --permission-mode accept-edits`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.Ended(host.Editor(cmd.Context(), app.Options{Trust: trust, Model: o.model, Effort: o.effort, Mode: o.mode}, *w, o.check))
		},
	}
	cmd.Flags().BoolVar(&trust, "trust", false, "Trust the folders of this call: their settings,\nagent types and MCP servers are used without a\nquestion, except for what a command Pawl ran has\nleft there.")
	o.bind(cmd, w)
	return cmd
}
