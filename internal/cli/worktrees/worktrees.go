package worktrees

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/worktree"
	"pawl/lifecycle"
)

// New is pawl worktrees: pawl worktrees list, where nothing else is said.
func New(w *base.World) *cobra.Command {
	list := newListCommand(w)
	list.Use = "worktrees"
	list.GroupID = command.GroupSetup
	list.Short = "List the git worktrees of subagents, and remove them."
	list.Long = "List the git worktrees that subagents have left, and remove them."
	list.AddCommand(newListCommand(w), newRemoveCommand(w))
	return list
}

func newListCommand(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the worktrees that subagents have left, and what is in them.",
		Example: `  pawl worktrees                            # what subagents have left, and what is in it
  pawl worktrees --json`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listWorktrees(cmd.Context(), w, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

func listWorktrees(ctx context.Context, w *base.World, asJSON bool) error {
	return withWorktrees(ctx, w, func(_ *base.Base, rows []treeRow) error {
		if asJSON {
			return mask.Mask{}.Encode(w.Out, struct {
				Worktrees []treeRow `json:"worktrees"`
			}{rows})
		}
		return printTrees(w.Out, rows)
	})
}

// withWorktrees looks at all worktrees, and says which cannot be looked at.
func withWorktrees(ctx context.Context, w *base.World, do func(*base.Base, []treeRow) error) error {
	if err := settings.CheckHome(); err != nil {
		return base.AsUsage(err)
	}
	b, err := base.New(*w)
	if err != nil {
		return err
	}
	defer b.Close()
	rows, err := treeRows(ctx, b)
	if err != nil {
		w.Tell("%s", err)
	}
	return do(b, rows)
}

func printTrees(out io.Writer, rows []treeRow) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "No worktrees: no subagent has left changes in one.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, r := range rows {
		row := []string{filepath.Base(r.Path), humanize.RelTime(r.Made, time.Now(), "ago", "from now"), r.says(), r.Description}
		if r.InUse {
			row = append(row, "in use")
		}
		for i := range row {
			row[i] = string(sanitize.Line(row[i]))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
		fmt.Fprintf(table, "  %s\n", sanitize.Line(fmt.Sprintf("%s, branch %s of %s, session %s, agent %s", base.ShortPath(r.Path), r.Branch, base.ShortPath(r.Checkout), r.Session, r.Agent)))
	}
	return table.Flush()
}

// TellOf names the worktrees that outlast a session which is deleted: work may be in
// them that is nowhere else.
func TellOf(b *base.Base, session lifecycle.SessionID) error {
	notes, err := worktree.ReadNotes(b.Folders.Worktrees())
	var names []string
	for _, n := range notes {
		if n.Session == session {
			names = append(names, filepath.Base(n.Path))
		}
	}
	if len(names) > 0 {
		b.World.Tell("its worktrees stay: %s (pawl worktrees says what is in them, and removes them)", strings.Join(names, ", "))
	}
	return err
}
