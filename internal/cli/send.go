package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
	"pawl/internal/hosted"
	"pawl/internal/system"
)

func newSendCommand(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "send [ID] TEXT…",
		Short:   "Say something to an open session.",
		GroupID: command.GroupSessions,
		Long: `Say something to an open session, or to a subagent of it. One that is busy takes it in
at its next step. Text on standard input is added.

` + idMeans + ` ID can be a subagent's too.`,
		Example: `  pawl send 4f2a "and the tests?"
  git diff | pawl send 4f2a "review this"
  pawl send 4f2a "and the tests?" && pawl wait 4f2a`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE:              func(cmd *cobra.Command, args []string) error { return send(cmd.Context(), w, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, replyUsage)
	return cmd
}

func send(ctx context.Context, w *base.World, args []string, asJSON bool) error {
	name := ""
	if len(args) > 0 && namesSession(args[0]) {
		name, args = args[0], args[1:]
	}
	text, err := host.Prompt(args, w.In, w.Err)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(text) == "":
		return system.Usage(`what is to be said? pawl send ID "…", or text on standard input`)
	}
	return withSession(ctx, w, name, `pawl -p --detach --session %s "…" goes on with it`, func(s *hosted.Session) error {
		reply, err := s.Say(ctx, text)
		return tellReply(w, asJSON, reply, err)
	})
}
