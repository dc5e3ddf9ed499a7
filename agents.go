package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"pawl/agent"
	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/host"
	"pawl/internal/models"
	"pawl/internal/words"
)

// agentsCommand is pawl agents.
type agentsCommand struct {
	JSON bool `name:"json" help:"For programs: one JSON object."`
}

// agentRow is one type as --json gives it.
type agentRow struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tools       []string `json:"tools"` // null: all working tools
	Without     []string `json:"without,omitempty"`
	Model       string   `json:"model,omitempty"` // empty: the parent's
	Isolation   string   `json:"isolation,omitempty"`
	Mode        string   `json:"permission_mode,omitempty"`
	MaxSteps    int      `json:"max_steps,omitempty"`
	Source      string   `json:"source"`
	Trusted     bool     `json:"trusted"` // else nobody has seen it, and it is not used
}

// remarkRow is one line about a file.
type remarkRow struct {
	Where string `json:"where"`
	Says  string `json:"says"`
}

// Run lists the types. It reads files and what was said of them: no network.
func (c *agentsCommand) Run(ctx context.Context, w *world, _ *kong.Context) (code int, err error) {
	if err := settings.CheckHome(); err != nil {
		return host.ExitError, asUsage(err)
	}
	b := base{world: *w, folders: settings.FindFolders(), models: models.New(w.environ, secretsIn(w.environ), 0)}
	p, err := b.asksUnopened(ctx)
	if err != nil {
		return host.ExitError, err
	}
	found := p.types
	if len(found.Problems) > 0 {
		code = host.ExitUsage
	}
	if c.JSON {
		return code, writeTypesJSON(w.out, p)
	}
	return code, printTypes(w.out, p)
}

func writeTypesJSON(out io.Writer, p *project) error {
	found := p.types
	list := struct {
		Agents   []agentRow  `json:"agents"`
		Problems []remarkRow `json:"problems"`
		Notes    []remarkRow `json:"notes"`
	}{[]agentRow{}, remarkRows(found.Problems), remarkRows(found.Notes)}
	for _, t := range found.Types {
		list.Agents = append(list.Agents, agentRow{
			Name: t.Name, Description: t.Description, Tools: t.Tools, Without: t.Without, Model: t.Model,
			Isolation: string(t.Isolation), Mode: t.Mode, MaxSteps: t.MaxSteps, Source: t.Source,
			Trusted: p.trusts(p.kinds) || !p.ofProject(t),
		})
	}
	return mask.Mask{}.Encode(out, list)
}

func remarkRows(remarks []types.Remark) []remarkRow {
	rows := []remarkRow{}
	for _, r := range remarks {
		rows = append(rows, remarkRow{r.Where, r.Text})
	}
	return rows
}

// describedIn is how much of a description the table shows, in characters.
const describedIn = 60

func printTypes(out io.Writer, p *project) error {
	found := p.types
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tDESCRIPTION\tTOOLS\tMODEL\tSOURCE")
	for _, t := range found.Types {
		row := []string{t.Name, words.Cut(t.Description, describedIn), toolsOf(t), orDefault(t.Model, "main agent's"), shorten(t.Source)}
		if !p.trusts(p.kinds) && p.ofProject(t) {
			row[len(row)-1] += " (not trusted yet)"
		}
		for i := range row {
			row[i] = string(sanitize.Line(row[i]))
		}
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	printRemarks(out, "These files cannot be used:", found.Problems)
	printRemarks(out, "Ignored:", found.Notes)
	return nil
}

func printRemarks(out io.Writer, title string, remarks []types.Remark) {
	if len(remarks) > 0 {
		fmt.Fprintln(out, "\n"+title)
	}
	for _, r := range remarks {
		fmt.Fprintln(out, "  "+string(sanitize.Line(spelled(r))))
	}
}

// toolsOf words what a type may use.
func toolsOf(t agent.Type) string {
	text := "all"
	switch {
	case t.Tools != nil && len(t.Tools) == 0:
		return "none"
	case t.Tools != nil:
		text = strings.Join(t.Tools, ", ")
	}
	if len(t.Without) > 0 {
		text += " without " + strings.Join(t.Without, ", ")
	}
	return text
}
