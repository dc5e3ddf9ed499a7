package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pawl/internal/words"
)

// Takes is the Args of a command that takes just these arguments, by their names in its
// usage line. A name in brackets may be left out.
func Takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names) && !strings.HasPrefix(names[len(args)], "["):
			return fmt.Errorf("%s is missing", names[len(args)])
		case len(args) <= len(names):
			return nil
		case cmd.HasAvailableSubCommands():
			var known []string
			for _, sub := range cmd.Commands() {
				known = append(known, sub.Name())
			}
			return fmt.Errorf("unknown command %q%s", args[len(names)], words.DidYouMean(args[len(names)], known))
		}
		return fmt.Errorf("unexpected argument %q", args[len(names)])
	}
}
