package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/settings"
	"pawl/docs"
	"pawl/internal/base"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/ui/headless"
)

func newManCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page.",
		GroupID: groupMore,
		Example: `  pawl man > /usr/local/share/man/man1/pawl.1
  pawl man | man -l -`,
		Args:                  takes(),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			date, _, _ := strings.Cut(base.ThisBuild().Time, "T")
			_, err := fmt.Fprint(w.Out, Man(cmd.Root(), date, "pawl "+base.Release(), manual(cmd.Root())...))
			return exit(system.ExitDone, err)
		},
	}
}

// manual is what the page tells beyond the commands.
func manual(root *cobra.Command) []Section {
	var variables []Row
	for _, maker := range models.Makers() {
		says := "The key for " + maker.Name + "/… models."
		if !maker.Secret {
			says = "The address of the server of " + maker.Name + "/… models."
		}
		variables = append(variables, Row{Term: maker.Variable, Says: says})
		if maker.Address != maker.Variable {
			variables = append(variables, Row{Term: maker.Address, Says: "The address of that server, if it is another."})
		}
	}
	for _, name := range settings.Variables() {
		variables = append(variables, Row{Term: name.Variable, Says: "The setting " + name.Setting + "."})
	}
	variables = append(variables,
		Row{Term: "PAWL_HOME", Says: "A folder, by its full path, for settings, state and data together."},
		Row{Term: "NO_COLOR", Says: "No colours, if it is set."})
	var pages []Row
	for _, page := range docs.Pages() {
		pages = append(pages, Row{Term: "pawl help " + page.Subject, Says: page.Idea})
	}
	return []Section{
		{Title: "PAGES", Rows: pages},
		{Title: "ENVIRONMENT", Rows: once(variables)},
		{Title: "FILES", Rows: []Row{
			{Term: "~/.config/pawl/config.toml", Says: "The user's settings."},
			{Term: "~/.config/pawl/agents/*.md", Says: "The user's agent types."},
			{Term: "~/.local/share/pawl/pawl.db", Says: "All sessions."},
			{Term: "~/.local/state/pawl/", Says: "The log, the history of prompts."},
			{Term: ".pawl/config.toml, .pawl/agents/*.md, .mcp.json", Says: "A project's settings, agent types and servers: used once you trust them; they can only tighten yours."},
			{Term: "AGENTS.md, else CLAUDE.md", Says: "A project's instructions, for the model."},
		}},
		{Title: "EXIT STATUS", Rows: exitStatus()},
		{Title: "EXAMPLES", Rows: []Row{{Says: root.Example}}},
	}
}

func exitStatus() []Row {
	row := func(code int, says string) Row { return Row{Term: fmt.Sprint(code), Says: says} }
	return []Row{
		row(headless.ExitDone, "Done, and so is all that was started."),
		row(headless.ExitFailed, "The main agent failed or ended without an answer; or a pawl command failed."),
		row(system.ExitUsage, "The command line or the settings are invalid."),
		row(headless.ExitSubagent, "A subagent's latest run failed, ended without an answer, was stopped by a person or was left behind."),
		row(headless.ExitSIGHUP, "SIGHUP, or the terminal was closed."),
		row(headless.ExitSIGINT, "SIGINT."),
		row(headless.ExitSIGTERM, "SIGTERM."),
	}
}

func once(rows []Row) []Row {
	seen := map[string]bool{}
	var kept []Row
	for _, row := range rows {
		if !seen[row.Term] {
			kept = append(kept, row)
		}
		seen[row.Term] = true
	}
	return kept
}
