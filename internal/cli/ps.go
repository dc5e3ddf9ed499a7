package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/fleet"
	"pawl/internal/hosted"
	"pawl/internal/words"
)

func newPsCommand(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "ps",
		Short:   "List the sessions that are open, of every folder.",
		GroupID: command.GroupSessions,
		Long: `List the sessions that are open, of every folder: those that need you first, then
those that work. A line has the end of the ID, the state, what runs, the cost, the
memory, since when it stands so, the folder, the title, and what it does; on a
terminal as much of that as has room.`,
		Example: `  pawl ps
  pawl ps --json | jq -r '.sessions[] | select(.state == "needs_you") | .session'`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listHosts(cmd.Context(), w, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

// openSessions is what ps --json prints.
type openSessions struct {
	Sessions []fleet.Status  `json:"sessions"`
	Troubles []fleet.Trouble `json:"troubles"`
}

func listHosts(ctx context.Context, w *base.World, asJSON bool) error {
	b, err := base.New(*w)
	if err != nil {
		return err
	}
	defer b.Close()
	open, err := listOpen(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return b.Models.Hide().Encode(w.Out, open)
	}
	for _, t := range open.Troubles {
		w.Tell("session %s: %s", t.Session, t.Error)
	}
	if len(open.Sessions) == 0 && len(open.Troubles) == 0 {
		_, err := fmt.Fprintln(w.Out, "No session is open; pawl sessions lists those of this folder.")
		return err
	}
	return printHosts(w.Out, open.Sessions, time.Now(), base.Columns(w.Out))
}

// listOpen asks all hosts how their sessions stand, and puts the most urgent first.
func listOpen(ctx context.Context) (openSessions, error) {
	hosts, troubles, err := fleet.Hosts(ctx, hosted.Folder())
	slices.SortFunc(hosts, func(a, b fleet.Status) int {
		return cmp.Or(urgency(a.State)-urgency(b.State), b.Started.Compare(a.Started), strings.Compare(string(a.Session), string(b.Session)))
	})
	return openSessions{append([]fleet.Status{}, hosts...), append([]fleet.Trouble{}, troubles...)}, err
}

// urgency orders states, the most urgent first.
func urgency(s fleet.State) int {
	return -slices.Index([]fleet.State{fleet.Idle, fleet.Works, fleet.NeedsYou}, s)
}

// printHosts prints a line for each session, cut to a width in cells if that is not 0.
func printHosts(out io.Writer, hosts []fleet.Status, now time.Time, width int) error {
	var lines strings.Builder
	table := tabwriter.NewWriter(&lines, 0, 4, 2, ' ', 0)
	for _, s := range hosts {
		var row []string
		for _, cell := range hostRow(s, now) {
			row = append(row, string(sanitize.Line(sanitize.Ends(cell))))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(lines.String()) {
		line = strings.TrimSuffix(line, "\n")
		if width > 0 {
			line = ansi.Truncate(line, width, "…")
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

func hostRow(s fleet.Status, now time.Time) []string {
	state := map[fleet.State]string{fleet.NeedsYou: "needs you", fleet.Works: "works", fleet.Idle: "idle"}[s.State]
	since := s.Since
	if since.IsZero() {
		since = s.Started
	}
	return []string{
		hosted.ShortID(s.Session), cmp.Or(state, string(s.State)), runsOf(s), fmt.Sprintf("$%.2f", s.CostUSD), memoryOf(s),
		humanize.RelTime(since, now, "ago", "from now"), base.ShortPath(s.Folder), cmp.Or(s.Title, "untitled"), s.Activity,
	}
}

// runsOf says what runs of a session.
func runsOf(s fleet.Status) string {
	var parts []string
	if s.Runs.Running > 0 {
		parts = append(parts, fmt.Sprintf("%d running", s.Runs.Running))
	}
	if s.Runs.Queued > 0 {
		parts = append(parts, fmt.Sprintf("%d queued", s.Runs.Queued))
	}
	if s.Shells > 0 {
		parts = append(parts, words.Count(s.Shells, "command"))
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing runs")
}

func memoryOf(s fleet.Status) string {
	if s.Memory <= 0 {
		return "-" // the system does not say
	}
	return words.Size(s.Memory)
}
