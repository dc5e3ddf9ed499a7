package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"pawl/internal/base"
	"pawl/internal/host"
)

// helpCommand is pawl help: what --help behind a command says, and the pages of docs.
type helpCommand struct {
	Subject []string `arg:"" optional:"" complete:"subject" help:"A command, or a subject of the list; without one, all of them in short."`
}

func (c *helpCommand) Run(_ context.Context, w *base.World, line *kong.Context) (int, error) {
	if len(c.Subject) == 0 {
		if err := printUsage(line, nil); err != nil {
			return host.ExitError, err
		}
		return host.ExitDone, printSubjects(w.Out)
	}
	page := pageAbout(c.Subject[0])
	if slices.Contains(commandNames(line.Model), c.Subject[0]) {
		if err := printUsage(line, c.Subject); err != nil {
			return host.ExitError, err
		}
		if page == nil || len(c.Subject) > 1 {
			return host.ExitDone, nil
		}
		fmt.Fprintln(w.Out)
	}
	if page == nil {
		return host.ExitUsage, host.Usage(unknownSubject(c.Subject[0], line.Model))
	}
	return host.ExitDone, printPage(*w, *page)
}

// printUsage prints what --help says behind the words of a command.
func printUsage(line *kong.Context, command []string) error {
	same, err := parse(line.Kong, append(command, "--help"))
	if err != nil {
		return err
	}
	return same.PrintUsage(false)
}

// printHelp is the parser's help, and behind it the flags of pawl itself: they
// belong to a command that has no name, so the parser would list them nowhere.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	if selected := ctx.Selected(); selected != nil && !selected.Hidden {
		return nil
	}
	for _, command := range ctx.Model.Children {
		if command.Hidden {
			return printFlags(ctx, command)
		}
	}
	return nil
}

func printFlags(ctx *kong.Context, command *kong.Command) error {
	fmt.Fprintln(ctx.Stdout, "\nFlags without a command:")
	table := tabwriter.NewWriter(ctx.Stdout, 0, 4, 2, ' ', 0)
	for _, flag := range command.Flags {
		short := "    "
		if flag.Short != 0 {
			short = fmt.Sprintf("-%c, ", flag.Short)
		}
		name := "--" + flag.Name
		if !flag.IsBool() {
			name += "=" + flag.FormatPlaceHolder()
		}
		fmt.Fprintf(table, "  %s%s\t%s\n", short, name, flag.Help)
	}
	return table.Flush()
}

// unknownFlag words an error of the parser's about a line. For a letter that is no flag
// it knows other letters alone; what was meant is a flag that begins with it.
func unknownFlag(err error, line *kong.Context) string {
	text, found := strings.CutPrefix(err.Error(), "unknown flag -")
	if !found || strings.HasPrefix(text, "-") {
		return err.Error()
	}
	letter := text[:1]
	nodes := []*kong.Node{line.Selected()}
	if nodes[0] == nil { // it stands before any command: it was meant for the one without a name
		nodes = line.Model.Children
	}
	for _, node := range nodes {
		if !node.Hidden && node != line.Selected() {
			continue
		}
		for _, flag := range node.Flags {
			if strings.HasPrefix(flag.Name, letter) {
				return fmt.Sprintf("unknown flag -%s, did you mean %q?", letter, "--"+flag.Name)
			}
		}
	}
	return err.Error()
}
