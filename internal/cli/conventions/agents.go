package conventions

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/agent/types"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/project"
	"pawl/internal/system"
	"pawl/internal/words"
)

// NewAgents makes pawl agents.
func NewAgents(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "agents",
		Short:   "List the subagent types of this folder, and what is wrong with them.",
		GroupID: command.GroupSetup,
		Example: `  pawl agents                    # the types, and what is wrong with their files
  pawl agents --json`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listAgents(cmd.Context(), w, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

// agentRow is one type as --json gives it.
type agentRow struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Tools       []string `json:"tools"` // null: all working tools
	Without     []string `json:"without,omitempty"`
	Model       string   `json:"model,omitempty"`  // empty: the parent's
	Effort      string   `json:"effort,omitempty"` // empty: the parent's
	Isolation   string   `json:"isolation,omitempty"`
	Labels      []string `json:"labels,omitempty"`
	Idempotent  bool     `json:"idempotent,omitempty"`
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

// read reads files and what was said of them: no network.
func read(ctx context.Context, w *base.World) (*project.Project, error) {
	if err := settings.CheckHome(); err != nil {
		return nil, base.AsUsage(err)
	}
	b := base.Base{World: *w, Folders: settings.FindFolders()}
	b.Models = base.ModelsToName(*w)
	return project.ReadUnopened(ctx, &b)
}

func listAgents(ctx context.Context, w *base.World, asJSON bool) error {
	p, err := read(ctx, w)
	if err != nil {
		return err
	}
	code := system.ExitDone
	found := p.Types
	if len(found.Problems) > 0 {
		code = system.ExitUsage
	}
	if asJSON {
		return command.Ended(code, writeTypesJSON(w.Out, p))
	}
	return command.Ended(code, printTypes(w.Out, p))
}

func writeTypesJSON(out io.Writer, p *project.Project) error {
	found := p.Types
	list := struct {
		Agents   []agentRow  `json:"agents"`
		Problems []remarkRow `json:"problems"`
		Notes    []remarkRow `json:"notes"`
	}{[]agentRow{}, remarkRows(found.Problems), remarkRows(found.Notes)}
	for _, t := range found.Types {
		list.Agents = append(list.Agents, agentRow{
			Name: t.Name, Description: t.Description, Tools: t.Tools, Without: t.Without, Model: t.Model, Effort: t.Effort,
			Isolation: string(t.Isolation), Labels: t.Labels, Idempotent: t.Idempotent, Mode: t.Mode, MaxSteps: t.MaxSteps, Source: t.Source,
			Trusted: p.Trusts(p.Kinds) || !p.OfProject(t),
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

func printTypes(out io.Writer, p *project.Project) error {
	found := p.Types
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tDESCRIPTION\tTOOLS\tMODEL\tSOURCE")
	for _, t := range found.Types {
		row := []string{t.Name, words.Cut(t.Description, describedIn), types.ToolWords(t), strings.TrimSpace(cmp.Or(t.Model, "main agent's") + " " + t.Effort), base.ShortPath(t.Source)}
		if !p.Trusts(p.Kinds) && p.OfProject(t) {
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
		fmt.Fprintln(out, "  "+string(sanitize.Line(base.Remark(r))))
	}
}
