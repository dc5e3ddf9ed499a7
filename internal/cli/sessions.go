package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"

	"pawl/agent/sanitize"
	"pawl/export"
	"pawl/export/formats"
	"pawl/internal/base"
	"pawl/internal/front"
	"pawl/internal/host"
	"pawl/internal/stored"
	"pawl/store"
	"pawl/tools"
)

type sessionsCommand struct {
	All bool `help:"Sessions of every folder."`
}

func (c *sessionsCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	b, err := base.Open(ctx, *w, store.Options{ReadOnly: true})
	if errors.Is(err, os.ErrNotExist) {
		_, err := fmt.Fprintln(w.Out, "No sessions yet: start one with pawl.")
		return host.ExitDone, err
	}
	if err != nil {
		return host.ExitError, err
	}
	defer b.Close()
	filter := store.Filter{RootsOnly: true, Folder: w.Folder}
	if c.All {
		filter.Folder = ""
	}
	found, err := b.Store.Sessions(ctx, filter)
	if err != nil {
		return host.ExitError, err
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(w.Out, "No sessions in this folder; pawl sessions --all lists those of other folders.")
		return host.ExitDone, err
	}
	table := tabwriter.NewWriter(w.Out, 0, 4, 2, ' ', 0)
	for _, s := range found {
		pid, used, err := b.Store.Holder(s.ID)
		if err != nil {
			return host.ExitError, err
		}
		row := c.row(s)
		if used {
			row = append(row, base.InUse(pid))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return host.ExitDone, table.Flush()
}

// row is what the list says of a session: the folder where that differs.
func (c *sessionsCommand) row(s store.SessionInfo) []string {
	row := []string{string(s.ID), humanize.RelTime(s.Updated, time.Now(), "ago", "from now"), string(sanitize.Line(s.Title))}
	if c.All {
		row = append(row, string(sanitize.Line(s.Folder)))
	}
	if s.Unread > 0 {
		row = append(row, fmt.Sprintf("%d not delivered", s.Unread))
	}
	return row
}

type showCommand struct {
	Session string `arg:"" placeholder:"ID" complete:"session" help:"The session: its id, or how that begins or ends."`
	Brief   bool   `help:"One page: what was asked, who did what, how each ended, what it cost."`
}

func (c *showCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	b, err := stored.OpenDatabase(ctx, *w, c.Session)
	if err != nil {
		return host.ExitError, err
	}
	defer b.Close()
	source, seq, err := stored.FindSource(ctx, b, c.Session)
	if err != nil {
		return host.ExitError, err
	}
	return host.ExitDone, export.Write(ctx, w.Out, formats.Options{Format: formats.Markdown, Brief: c.Brief}, source, source.Session.ID, seq)
}

type exportCommand struct {
	Session     string `arg:"" placeholder:"ID" complete:"session" help:"The session: its id, or how that begins or ends."`
	exportFlags `embed:""`
}

func (c *exportCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	if _, err := c.options(); err != nil {
		return host.ExitError, err
	}
	t, err := stored.Open(ctx, *w, c.Session)
	if err != nil {
		return host.ExitError, err
	}
	defer t.Close()
	return c.write(ctx, w, t.Source, t.Upto)
}

type removeCommand struct {
	Session string `arg:"" placeholder:"ID" complete:"session" help:"The session: its id, or how that begins or ends."`
}

func (c *removeCommand) Run(ctx context.Context, w *base.World, _ *kong.Context) (int, error) {
	b, err := base.Open(ctx, *w, store.Options{})
	if err != nil {
		return host.ExitError, err
	}
	defer b.Close()
	found, err := b.Store.Session(ctx, c.Session)
	if err != nil {
		return host.ExitUsage, host.Usage(err.Error())
	}
	if found.Root != found.ID {
		return host.ExitUsage, host.Usage(fmt.Sprintf("%s is a subagent of session %s: only whole sessions are deleted", found.ID, found.Root))
	}
	if err := b.Store.Remove(ctx, found.ID, front.DraftsFact(found.ID), front.SeenFact(found.ID)); err != nil {
		return host.ExitError, err
	}
	if err := tools.RemoveOutputs(base.OutputsOf(b, found.ID)); err != nil {
		return host.ExitError, err
	}
	if _, err = fmt.Fprintf(w.Out, "deleted %s (%s)\n", found.ID, sanitize.Line(found.Title)); err != nil {
		return host.ExitDone, err
	}
	return host.ExitDone, tellTreesOf(b, found.ID)
}
