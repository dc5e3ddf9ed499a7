package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/store"
)

func newForkCommand(w *base.World) *cobra.Command {
	var before int
	var list bool
	cmd := &cobra.Command{
		Use:     "fork [ID]",
		Short:   "Begin a session from a prompt of another one.",
		GroupID: command.GroupSessions,
		Long: `Begin a session with all that another one has, or had before one of its prompts, and
print its id. The other one stays as it is; it may be at work meanwhile. Files in the
folder are not touched, and worktrees of subagents stay with the other one.

ID is the session: its id, or how that begins or ends. Without one it is the newest
session of this folder.`,
		Example: `  pawl fork 4f2a                 # all of it, as it is now
  pawl fork 4f2a --list          # its prompts, each with its number
  pawl fork 4f2a --before 41     # as it was before that prompt
  pawl fork                      # of the newest session of this folder`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if list && cmd.Flags().Changed("before") {
				return system.Usage("--list forks nothing: use it without --before")
			}
			if list {
				return listPrompts(cmd.Context(), w, first(args))
			}
			return forkSession(cmd.Context(), w, first(args), before, cmd.Flags().Changed("before"))
		},
	}
	cmd.Flags().IntVar(&before, "before", 0, "Only what there was before the prompt of record `N`.")
	cmd.Flags().BoolVar(&list, "list", false, "Print the prompts with their numbers, and fork nothing.")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("before", completePrompts(w)))
	return cmd
}

// promptsOf finds a session, a subagent's standing for its root, and its prompts.
func promptsOf(ctx context.Context, b *base.Base, name string) (root lifecycle.SessionID, all []app.Prompt, err error) {
	if name == "" {
		root, err = stored.Newest(ctx, b)
		name = string(root)
	}
	if err != nil {
		return "", nil, err
	}
	found, err := stored.Named(ctx, b, name)
	if err != nil {
		return "", nil, err
	}
	all, err = app.Prompts(ctx, b, found.Root)
	return found.Root, all, err
}

func forkSession(ctx context.Context, w *base.World, name string, number int, given bool) error {
	b, err := base.Open(ctx, *w, store.Options{})
	if err != nil {
		return err
	}
	defer b.Close()
	root, all, err := promptsOf(ctx, b, name)
	if err != nil {
		return err
	}
	var before *app.Prompt
	if given {
		at := slices.IndexFunc(all, func(p app.Prompt) bool { return int(p.Seq) == number })
		if at < 0 {
			return system.Usage(fmt.Sprintf("--before %d: that record is no prompt of the session; --list prints them", number))
		}
		before = &all[at]
	}
	fork, err := app.Fork(ctx, b, root, before)
	if errors.Is(err, app.ErrNothingBefore) {
		return system.Usage(err.Error())
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w.Out, fork)
	return err
}

func listPrompts(ctx context.Context, w *base.World, name string) error {
	b, err := stored.OpenDatabase(ctx, *w, name)
	if err != nil {
		return err
	}
	defer b.Close()
	_, all, err := promptsOf(ctx, b, name)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(w.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	for _, p := range all {
		fmt.Fprintf(table, "%d\t%s\t %s\n", p.Seq, p.Time.Local().Format("2006-01-02 15:04"), sanitize.Line(words.CutLine(p.Text, longestPrompt)))
	}
	return table.Flush()
}

// longestPrompt is how many runes of a prompt are printed in a list.
const longestPrompt = 100

// completePrompts offers the numbers of a session's prompts.
func completePrompts(w *base.World) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		b, err := stored.OpenDatabase(cmd.Context(), *w, first(args))
		if err != nil {
			return nil, command.AsListed
		}
		defer b.Close()
		_, all, err := promptsOf(cmd.Context(), b, first(args))
		if err != nil {
			return nil, command.AsListed
		}
		var offered []cobra.Completion
		for _, p := range all {
			offered = append(offered, cobra.CompletionWithDesc(strconv.FormatInt(int64(p.Seq), 10), string(sanitize.Line(words.CutLine(p.Text, longestPrompt)))))
		}
		return offered, command.AsListed
	}
}
