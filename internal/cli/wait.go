package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/hosted"
)

func newWaitCommand(w *base.World) *cobra.Command {
	format := hosted.Text
	cmd := &cobra.Command{
		Use:     "wait [ID]",
		Short:   "Wait until an open session is settled, and print its answer.",
		GroupID: command.GroupSessions,
		Long: `Wait until nothing goes on in an open session any more, print what it has answered to
its last prompt, and end with the exit code that pawl -p would have. A question that is
open keeps it waiting. Of a session that is not open it prints what is recorded.

` + idMeans,
		Example: `  pawl wait 4f2a
  id=$(pawl -p --detach "fix the tests") && pawl wait $id --output-format json`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE:              func(cmd *cobra.Command, args []string) error { return wait(cmd.Context(), w, first(args), format) },
	}
	command.AddChoice(cmd, &format, "output-format", "The `FORMAT` of the answer, as with -p:\ntext or json.", hosted.Text, hosted.JSON)
	return cmd
}

func wait(ctx context.Context, w *base.World, name, format string) error {
	p := hosted.Prompt{Format: format, Out: w.Out, Errors: w.Err}
	session, err := hosted.Find(ctx, *w, name)
	var closed *hosted.NotOpenError
	switch {
	case errors.As(err, &closed):
		return command.Ended(hosted.Recorded(ctx, *w, closed.Root, p))
	case err != nil:
		return err
	}
	defer session.Close()
	code, err := session.Run(ctx, p)
	if errors.Is(err, hosted.ErrGone) { // it may have been settled just before
		return whatIsLeft(ctx, w, session, p, err)
	}
	return command.Ended(code, err)
}

// whatIsLeft waits for a session whose host is gone: another one may have opened it.
func whatIsLeft(ctx context.Context, w *base.World, left *hosted.Session, p hosted.Prompt, gone error) error {
	again, err := hosted.Find(ctx, *w, string(left.Root))
	var closed *hosted.NotOpenError
	switch {
	case errors.As(err, &closed):
		return command.Ended(hosted.Recorded(ctx, *w, closed.Root, p))
	case err != nil:
		return gone
	}
	defer again.Close()
	return command.Ended(again.Run(ctx, p))
}
