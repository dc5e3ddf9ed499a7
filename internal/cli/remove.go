package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/cli/worktrees"
	"pawl/internal/host"
	"pawl/internal/hosted"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/store"
)

func newRemoveCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:     "rm ID",
		Short:   "Delete a session and its subagents.",
		GroupID: command.GroupSessions,
		Long: `Delete a session and its subagents.

ID is the session: its id, or how that begins or ends.`,
		Example:               `  pawl rm 4f2a                   # the session, its subagents and their records`,
		Args:                  command.Takes("ID"),
		ValidArgsFunction:     command.FirstArgument(completeSessions(w)),
		DisableFlagsInUseLine: true,
		RunE:                  func(cmd *cobra.Command, args []string) error { return removeSession(cmd.Context(), w, args[0]) },
	}
}

func removeSession(ctx context.Context, w *base.World, session string) error {
	b, err := base.Open(ctx, *w, store.Options{})
	if err != nil {
		return err
	}
	defer b.Close()
	found, err := stored.Named(ctx, b, session)
	if err != nil {
		return err
	}
	if found.Root != found.ID {
		return system.Usage(fmt.Sprintf("%s is a subagent of session %s: only whole sessions are deleted", found.ID, found.Root))
	}
	said, err := app.EndCutOff(ctx, b, found.ID)
	if err != nil {
		return err
	}
	if said != "" {
		w.Tell("%s", said)
	}
	err = b.Store.Remove(ctx, found.ID, host.DraftsFact(found.ID), host.SeenFact(found.ID), host.CommentsFact(found.ID))
	if errors.Is(err, store.ErrLocked) {
		return fmt.Errorf("session %s is open, and not deleted: pawl stop %s --all stops what runs in it, pawl ps says where it is", found.ID, hosted.ShortID(found.ID))
	}
	if err != nil {
		return err
	}
	if err := errors.Join(base.RemoveKept(b, found.ID), host.ForgetDraft(ctx, b.Store, found.ID)); err != nil {
		return err
	}
	if copies, _ := filepath.Glob(b.Folders.Database() + ".schema-*"); len(copies) > 0 { // the pattern is valid
		w.Tell("copies of the database from before updates may still hold it: %s; delete them if you do not need them", strings.Join(copies, ", "))
	}
	if _, err = fmt.Fprintf(w.Out, "deleted %s (%s)\n", found.ID, sanitize.Line(found.Title)); err != nil {
		return err
	}
	return worktrees.TellOf(b, found.ID)
}
