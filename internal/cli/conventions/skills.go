package conventions

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pawl/agent/commands"
	"pawl/agent/mask"
	"pawl/agent/sanitize"
	"pawl/agent/skills"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/project"
	"pawl/internal/system"
	"pawl/internal/words"
)

// NewSkills makes pawl skills.
func NewSkills(w *base.World) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "skills",
		Short:   "List the skills and commands of this folder, and what is wrong with them.",
		GroupID: command.GroupSetup,
		Example: `  pawl skills                    # both, and what is wrong with their files
  pawl skills --json`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listSkills(cmd.Context(), w, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, command.JSONUsage)
	return cmd
}

// skillRow is one skill as --json gives it.
type skillRow struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Folder      string `json:"folder"`
	Source      string `json:"source"`
	Files       int    `json:"files"`   // beside its SKILL.md
	Scripts     int    `json:"scripts"` // those of them that can be run
	Models      bool   `json:"models"`  // models are told of it
	Typed       bool   `json:"typed"`   // a person can type it as a command
	Trusted     bool   `json:"trusted"` // else nobody has seen it, and it is not used
	Used        bool   `json:"used"`    // else another of its name comes first
}

// commandRow is one command as --json gives it.
type commandRow struct {
	Name        string   `json:"name"` // with its slash
	Description string   `json:"description"`
	Hint        string   `json:"argument_hint,omitempty"`
	Model       string   `json:"model,omitempty"`
	Effort      string   `json:"effort,omitempty"`
	Allowed     []string `json:"allowed,omitempty"` // the rules of what its run may do at most; none: as any other
	Programs    []string `json:"programs,omitempty"`
	Source      string   `json:"source"`
	Trusted     bool     `json:"trusted"`
	Used        bool     `json:"used"`
}

func listSkills(ctx context.Context, w *base.World, asJSON bool) error {
	p, err := read(ctx, w)
	if err != nil {
		return err
	}
	code := system.ExitDone
	if len(p.Skills().Problems)+len(p.Commands().Problems) > 0 {
		code = system.ExitUsage
	}
	if asJSON {
		return command.Ended(code, writeSkillsJSON(w.Out, p))
	}
	return command.Ended(code, printSkills(w.Out, p))
}

func skillRows(p *project.Project) []skillRow {
	rows, seen := []skillRow{}, map[string]bool{}
	for _, s := range p.Skills().Skills {
		files, scripts := p.BesideSkill(s)
		rows = append(rows, skillRow{
			Name: s.Name, Description: s.Description, Folder: s.Folder, Source: s.Source, Files: files, Scripts: scripts,
			Models: !s.Unlisted, Typed: s.Command.Name != "", Trusted: p.TrustsSkill(s), Used: !seen[s.Name],
		})
		seen[s.Name] = true
	}
	return rows
}

func commandRows(p *project.Project) []commandRow {
	rows, seen := []commandRow{}, map[string]bool{}
	for _, c := range slices.Concat(p.Commands().Commands, commands.Builtin()) {
		rows = append(rows, commandRow{
			Name: "/" + c.Name, Description: c.Description, Hint: c.Hint, Model: c.Model, Effort: c.Effort, Allowed: c.Allowed, Programs: c.Programs(),
			Source: c.Source, Trusted: p.TrustsCommand(c), Used: !seen[c.Name],
		})
		seen[c.Name] = true
	}
	return rows
}

func writeSkillsJSON(out io.Writer, p *project.Project) error {
	return mask.Mask{}.Encode(out, struct {
		Skills   []skillRow   `json:"skills"`
		Commands []commandRow `json:"commands"`
		Problems []remarkRow  `json:"problems"`
		Notes    []remarkRow  `json:"notes"`
	}{
		skillRows(p), commandRows(p),
		append(remarkRows(p.Skills().Problems), remarkRows(p.Commands().Problems)...), append(remarkRows(p.Skills().Notes), remarkRows(p.Commands().Notes)...),
	})
}

func printSkills(out io.Writer, p *project.Project) error {
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	line := func(cells ...string) {
		for i := range cells {
			cells[i] = string(sanitize.Line(cells[i]))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	from := func(source string, trusted, used bool) string {
		source = base.ShortPath(source)
		if !trusted {
			source += " (not trusted yet)"
		}
		if !used {
			source += " (another of this name is used)"
		}
		return source
	}
	line("SKILL", "DESCRIPTION", "FILES", "SOURCE")
	for _, s := range skillRows(p) {
		line(s.Name, words.Cut(s.Description, describedIn), fmt.Sprint(s.Files), from(s.Source, s.Trusted, s.Used))
	}
	if len(p.Skills().Skills) == 0 {
		line("(none: "+skills.Where+")", "", "", "")
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	line("COMMAND", "DESCRIPTION", "SOURCE")
	for _, c := range commandRows(p) {
		line(strings.TrimSpace(c.Name+" "+c.Hint), words.Cut(c.Description, describedIn), from(c.Source, c.Trusted, c.Used))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	printRemarks(out, "These files cannot be used:", slices.Concat(p.Skills().Problems, p.Commands().Problems))
	printRemarks(out, "Ignored:", slices.Concat(p.Skills().Notes, p.Commands().Notes))
	return nil
}
