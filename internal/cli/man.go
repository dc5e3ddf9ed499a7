package cli

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pawl/agent/settings"
	"pawl/docs"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/models"
	"pawl/internal/system"
	"pawl/ui/headless"
)

// Section is a part of the manual page that the command tree does not have.
type Section struct {
	Title string
	Rows  []Row
}

// Row is a term and what it means. Without a term it is a paragraph, and without a
// meaning lines that stand as they are.
type Row struct{ Term, Says string }

// Man writes the manual page of a program, as man and mandoc read it: the commands and
// flags of its tree, hidden ones left out, and then some sections. date, as in
// 2006-01-02, and version stand at its foot.
func Man(root *cobra.Command, date, version string, more ...Section) string {
	var p roff
	p.line(".TH %s 1 %q %s", quoted(strings.ToUpper(root.Name())), date, quoted(version))
	p.title("NAME")
	p.line("%s \\- %s", text(root.Name()), text(strings.TrimSuffix(root.Short, ".")))
	p.title("SYNOPSIS")
	p.line(".nf")
	all := leaves(root)
	for _, cmd := range append([]*cobra.Command{root}, all...) {
		p.line("%s", text(cmd.UseLine()))
	}
	p.line(".fi")
	p.title("DESCRIPTION")
	p.prose(root.Long)
	p.title("FLAGS WITHOUT A COMMAND")
	p.flags(root)
	p.title("COMMANDS")
	for _, cmd := range all {
		p.line(".SS %s", quoted(cmd.CommandPath()))
		p.fresh = true
		p.prose(cmp.Or(cmd.Long, cmd.Short))
		p.flags(cmd)
		p.prose(cmd.Example)
	}
	for _, section := range more {
		p.title(section.Title)
		for _, row := range section.Rows {
			p.row(row.Term, row.Says)
		}
	}
	return p.String()
}

// leaves are the commands below one that a person can type, in order.
func leaves(root *cobra.Command) (all []*cobra.Command) {
	for _, cmd := range commandsToType(root) {
		all = append(append(all, cmd), leaves(cmd)...)
	}
	return all
}

// roff is a page on its way out.
type roff struct {
	strings.Builder
	fresh bool // a title stands right before: no paragraph need be begun
}

func (p *roff) line(format string, args ...any) {
	fmt.Fprintf(p, format+"\n", args...)
	p.fresh = false
}

func (p *roff) title(name string) {
	p.line(".SH %s", quoted(name))
	p.fresh = true
}

// paragraph begins one.
func (p *roff) paragraph() {
	if !p.fresh {
		p.line(".PP")
		p.fresh = true
	}
}

// row is a term with what it means, or a text of its own.
func (p *roff) row(term, says string) {
	if term == "" {
		p.prose(says)
		return
	}
	p.line(".TP\n.B %s", quoted(term))
	if says = strings.TrimSpace(says); says != "" {
		p.line("%s", text(says))
	}
}

func (p *roff) flags(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Name == "help" {
			return
		}
		name := "--" + flag.Name
		if flag.Shorthand != "" {
			name = fmt.Sprintf("-%s, %s", flag.Shorthand, name)
		}
		value, usage := pflag.UnquoteUsage(flag)
		if value != "" {
			name += "=" + value
		}
		p.row(name, usage)
	})
}

// prose writes paragraphs; lines that are set in stand as they are.
func (p *roff) prose(s string) {
	if s = strings.Trim(s, "\n"); s == "" {
		return
	}
	p.paragraph()
	set := false
	for _, line := range strings.Split(s, "\n") {
		if indented := strings.HasPrefix(line, " "); indented != set {
			if set = indented; set {
				p.paragraph()
				p.line(".nf")
			} else {
				p.line(".fi")
			}
		}
		if strings.TrimSpace(line) == "" {
			p.paragraph()
			continue
		}
		p.line("%s", text(line))
	}
	if set {
		p.line(".fi")
	}
}

// text is a line that acts in no way: no escape, no request.
func text(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ", "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return ascii(s)
}

// ascii writes other letters as the formatter's names of them: a page that is not ASCII
// is shown wrongly by a man that takes it for another encoding.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '…':
			b.WriteString("...")
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// quoted is a text as one argument of a request.
func quoted(s string) string { return `"` + strings.ReplaceAll(text(s), `"`, `\(dq`) + `"` }

func newManCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "Print the manual page.",
		GroupID: command.GroupMore,
		Example: `  pawl man > /usr/local/share/man/man1/pawl.1
  pawl man | man -l -`,
		Args:                  command.Takes(),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			date, _, _ := strings.Cut(base.ThisBuild().Time, "T")
			_, err := fmt.Fprint(w.Out, Man(cmd.Root(), date, "pawl "+base.Release(), manual(cmd.Root())...))
			return err
		},
	}
}

// manual is what the page tells beyond the commands.
func manual(root *cobra.Command) []Section {
	var variables []Row
	for _, p := range models.BuiltIn() {
		says := "The key for " + p.Name + "/… models."
		if !p.Secret {
			says = "The address of the server of " + p.Name + "/… models."
		}
		variables = append(variables, Row{Term: p.Variable, Says: says})
		if p.Address != p.Variable {
			variables = append(variables, Row{Term: p.Address, Says: "The address of that server, if it is another."})
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
			{Term: "AGENTS.md, else CLAUDE.md", Says: "Instructions for the model: of each folder from the checkout's root down, and of one below when a file in it is touched."},
			{Term: "~/.config/pawl/AGENTS.md", Says: "The user's own instructions, else CLAUDE.md there, else ~/.claude/CLAUDE.md."},
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
