package servers

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/tools/mcp"
)

func newListCommand(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Start your MCP servers and this folder's, and report the result of each.",
		Example: `  pawl mcp                                  # each server, whether it starts, what it offers
  pawl mcp list --json`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withServers(cmd.Context(), w, func(k known) error { return k.list(cmd.Context(), asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

// row is one server as --json gives it.
type row struct {
	Name      string `json:"name"`
	From      string `json:"from"`
	State     string `json:"state"` // ready, down, off, untrusted
	Where     string `json:"where"` // its program or address, without what may hold a key
	Tools     int    `json:"tools"`
	Prompts   int    `json:"prompts"`
	Resources int    `json:"resources"`
	LoggedIn  bool   `json:"logged_in"`
	Why       string `json:"why,omitempty"`
	Said      string `json:"said,omitempty"` // its last output
	Do        string `json:"do,omitempty"`
}

// The states of servers that are not started.
const (
	stateOff       = "off"
	stateUntrusted = "untrusted"
)

// list starts the servers. It exits with 1 if one of them is down.
func (k known) list(ctx context.Context, asJSON bool) error {
	rows := k.rows(ctx)
	code := system.ExitDone
	for _, r := range rows {
		if r.State == string(mcp.Down) {
			code = system.ExitError
		}
	}
	if asJSON {
		return command.Ended(code, k.base.Models.Hide().Encode(k.base.World.Out, struct {
			Servers []row `json:"servers"`
		}{rows}))
	}
	if err := k.project.ServersError; err != nil {
		k.base.World.Tell("%s", err)
	}
	return command.Ended(code, printRows(k.base.World.Out, rows))
}

func (k known) rows(ctx context.Context) []row {
	rows := []row{}
	var started []mcp.Spec
	for _, s := range k.all() {
		r := row{Name: s.Name, From: s.From, Where: s.Place()}
		switch {
		case !s.Project && k.off[s.Name]:
			r.State = stateOff
		case s.Project && !k.trusted():
			r.State, r.Do = stateUntrusted, "pawl asks about "+mcp.ProjectFile+" when you open it here"
		default:
			started = append(started, s)
		}
		rows = append(rows, r)
	}
	states := map[string]mcp.Status{}
	for _, status := range base.TryServers(ctx, k.base.World, k.base.Settings, started, k.base.Models.Withheld()) {
		states[status.Name] = status
	}
	logins := base.Logins(k.base.Folders)
	for i := range rows {
		r := &rows[i]
		status, tried := states[r.Name]
		if !tried {
			continue
		}
		r.State, r.Tools, r.Prompts, r.Resources = string(status.State), status.Tools, status.Prompts, status.Resources
		r.Why, r.Said, r.Do = base.OneLine(status.Why), base.OneLine(status.Said), status.Login
		if of, err := logins.Of(r.Name); err == nil {
			r.LoggedIn = len(of) > 0 && status.Login == ""
		}
	}
	return rows
}

func printRows(out io.Writer, rows []row) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "No MCP servers: pawl mcp add NAME -- COMMAND adds one, or a folder's "+mcp.ProjectFile+" has some.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tSTATE\tOFFERS\tFROM\tPROGRAM OR ADDRESS")
	for _, r := range rows {
		cells := []string{r.Name, r.State, r.offers(), r.From, r.Where}
		for i := range cells {
			cells[i] = string(sanitize.Line(cells[i]))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if says := cmp.Or(r.Why, r.Do); says != "" {
			if r.Said != "" {
				says += "; its last output: " + r.Said
			}
			fmt.Fprintln(out, sanitize.Line(r.Name+": "+says))
		}
	}
	return nil
}

// offers counts what a server has.
func (r row) offers() string {
	if r.State != string(mcp.Ready) {
		return "–"
	}
	text := words.Count(r.Tools, "tool")
	if r.Prompts > 0 {
		text += ", " + words.Count(r.Prompts, "prompt")
	}
	if r.Resources > 0 {
		text += ", " + words.Count(r.Resources, "resource")
	}
	return text
}

func quoted(text string) string { return strconv.Quote(text) }
