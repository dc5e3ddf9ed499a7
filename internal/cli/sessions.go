package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/hosted"
	"pawl/store"
)

func newSessionsCommand(w *base.World) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:     "sessions",
		Short:   "List the sessions of this folder.",
		GroupID: command.GroupSessions,
		Example: `  pawl sessions                  # of this folder, the newest first
  pawl sessions --all            # of every folder`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listSessions(cmd.Context(), w, all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "Sessions of every folder.")
	return cmd
}

func listSessions(ctx context.Context, w *base.World, all bool) error {
	b, err := base.Open(ctx, *w, store.Options{ReadOnly: true})
	if errors.Is(err, os.ErrNotExist) {
		_, err := fmt.Fprintln(w.Out, "No sessions yet: start one with pawl.")
		return err
	}
	if err != nil {
		return err
	}
	defer b.Close()
	filter := store.Filter{RootsOnly: true, Folder: w.Folder}
	if all {
		filter.Folder = ""
	}
	found, err := b.Store.Sessions(ctx, filter)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(w.Out, "No sessions in this folder; pawl sessions --all lists those of other folders.")
		return err
	}
	table := tabwriter.NewWriter(w.Out, 0, 4, 2, ' ', 0)
	for _, s := range found {
		pid, used, err := b.Store.Holder(s.ID)
		if err != nil {
			return err
		}
		row := sessionRow(s, all)
		if used {
			row = append(row, base.InUse(pid))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// sessionRow is what the list says of a session: the folder where that differs.
func sessionRow(s store.SessionInfo, all bool) []string {
	row := []string{string(s.ID), humanize.RelTime(s.Updated, time.Now(), "ago", "from now"), string(sanitize.Line(s.Title))}
	if all {
		row = append(row, string(sanitize.Line(s.Folder)))
	}
	if from := s.ForkedFrom; from != nil {
		row = append(row, "from "+hosted.ShortID(from.Session))
	}
	if s.Unread > 0 {
		row = append(row, fmt.Sprintf("%d not delivered", s.Unread))
	}
	return row
}
