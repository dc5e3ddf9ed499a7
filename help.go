package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/alecthomas/kong"
)

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
