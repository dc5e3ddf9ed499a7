package command

import (
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
)

// AsListed says that what is offered has an order, and that no file is meant.
const AsListed = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder

// FirstArgument offers what a function does at the first argument of a command, and nothing
// behind it.
func FirstArgument(offer cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return offer(cmd, args, typed)
	}
}

// Described is a name with a text of others about it.
func Described(name, text string) cobra.Completion {
	return cobra.CompletionWithDesc(name, strings.ReplaceAll(string(sanitize.Line(text)), "\t", " "))
}
