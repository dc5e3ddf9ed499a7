package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"pawl/internal/base"
	"pawl/internal/system"
)

// newHelpCommand is pawl help: what --help behind a command says, and the pages of docs.
func newHelpCommand(w *base.World) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND|SUBJECT]",
		Short:   "Explain a command or a subject, such as keys or permissions.",
		GroupID: groupMore,
		Example: `  pawl help                      # all commands and subjects
  pawl help export               # one of them
  pawl help keys                 # a page to read`,
		ValidArgsFunction:     firstArgument(completeSubjects),
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return exit(explain(w, cmd.Root(), args))
			}
			if err := cmd.Root().Help(); err != nil {
				return err
			}
			return exit(system.ExitDone, printSubjects(w.Out))
		},
	}
}

func explain(w *base.World, root *cobra.Command, subject []string) (int, error) {
	page := pageAbout(subject[0])
	if named, _, err := root.Find(subject); err == nil && named != root && !named.Hidden {
		named.InitDefaultHelpFlag()
		if err := named.Help(); err != nil {
			return system.ExitError, err
		}
		if page == nil || len(subject) > 1 {
			return system.ExitDone, nil
		}
		fmt.Fprintln(w.Out)
	}
	if page == nil {
		return system.ExitUsage, system.Usage(unknownSubject(subject[0], root))
	}
	return system.ExitDone, printPage(*w, *page)
}
