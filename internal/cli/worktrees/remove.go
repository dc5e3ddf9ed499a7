package worktrees

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/internal/worktree"
	"pawl/store"
	"pawl/tools/git"
)

// removeOptions say which worktrees go, and what becomes of what is in them.
type removeOptions struct {
	names                              []string
	allUnchanged, commit, discard, yes bool
}

func newRemoveCommand(w *base.World) *cobra.Command {
	var o removeOptions
	cmd := &cobra.Command{
		Use:   "rm NAME...",
		Short: "Remove worktrees, by their names or paths.",
		Long: `Remove worktrees, by their names or paths. One in which something would be lost that
is nowhere else stays, unless a flag says what becomes of that.`,
		Example: `  pawl worktrees rm fix-the-cart-3fa21b     # only if nothing in it would be lost
  pawl worktrees rm --all-unchanged
  pawl worktrees rm fix-the-cart-3fa21b --commit    # commits what is left, and keeps its branch
  pawl worktrees rm fix-the-cart-3fa21b --discard   # deletes what is in it, after asking`,
		ValidArgsFunction: completeWorktrees,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.names = args
			if err := o.check(); err != nil {
				return err
			}
			return withWorktrees(cmd.Context(), w, func(b *base.Base, rows []treeRow) error {
				return o.remove(cmd.Context(), b, rows)
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.allUnchanged, "all-unchanged", false, "All worktrees without changes.")
	flags.BoolVar(&o.commit, "commit", false, "Commit what is not committed, remove the folders,\nand keep the branches.")
	flags.BoolVar(&o.discard, "discard", false, "Delete the changes in them too, and their branches,\nfor good.")
	flags.BoolVar(&o.yes, "yes", false, "With --discard: do not ask.")
	return cmd
}

// check refuses what contradicts itself.
func (o *removeOptions) check() error {
	switch {
	case len(o.names) == 0 && !o.allUnchanged:
		return system.Usage("which one? pawl worktrees rm NAME, or --all-unchanged; pawl worktrees lists them")
	case o.allUnchanged && (len(o.names) > 0 || o.discard || o.commit):
		return system.Usage("--all-unchanged takes no names, commits nothing and discards nothing")
	case o.commit && o.discard:
		return system.Usage("--commit keeps what --discard deletes: use only one of them")
	case o.yes && !o.discard:
		return system.Usage("--yes goes with --discard: nothing else is asked")
	}
	return nil
}

// remove removes them. What it does not remove is a line, and exit code 1.
func (o *removeOptions) remove(ctx context.Context, b *base.Base, rows []treeRow) (err error) {
	chosen := rows
	if !o.allUnchanged {
		if chosen, err = o.chosen(rows); err != nil {
			return err
		}
	}
	opened, err := store.Open(ctx, b.Folders.Database(), store.Options{})
	if err != nil {
		return err
	}
	defer opened.Close() //nolint:errcheck // nothing was written
	ask := o.asking(b.World)
	code := system.ExitDone
	for _, row := range chosen {
		if o.allUnchanged && row.holds() {
			continue
		}
		said, err := o.removeOne(ctx, opened, row, ask)
		if err != nil {
			code = system.ExitError
			b.World.Tell("%s", err)
			continue
		}
		fmt.Fprintln(b.World.Out, sanitize.Line(said))
	}
	return command.Ended(code, nil)
}

// asking is how a person is asked whether something may be deleted for good; nil where
// nobody can be.
func (o *removeOptions) asking(w base.World) func(question string) bool {
	switch {
	case o.yes:
		return func(string) bool { return true }
	case !base.ReadsTerminal(w.In) || !base.WritesTerminal(w.Err):
		return nil
	}
	lines := bufio.NewReader(io.LimitReader(w.In, longestAnswer))
	return func(question string) bool {
		w.Tell(`%s Type "yes", anything else keeps it:`, question)
		answer, err := lines.ReadString('\n')
		return err == nil && strings.TrimSpace(answer) == "yes"
	}
}

func (o *removeOptions) chosen(rows []treeRow) ([]treeRow, error) {
	var chosen []treeRow
	var names []string
	for _, name := range o.names {
		before := len(chosen)
		for _, row := range rows {
			names = append(names, filepath.Base(row.Path))
			if filepath.Base(row.Path) == name || row.Path == filepath.Clean(name) {
				chosen = append(chosen, row)
			}
		}
		if len(chosen) == before {
			return nil, system.Usage(noTree(name, names))
		}
	}
	return chosen, nil
}

// noTree says that none of the names that there are is this one.
func noTree(name string, names []string) string {
	if len(names) == 0 {
		return fmt.Sprintf("no worktree %q: there are none", name)
	}
	return fmt.Sprintf("no worktree %q%s (pawl worktrees lists them)", name, words.DidYouMean(name, names))
}

func (o *removeOptions) removeOne(ctx context.Context, opened *store.Store, row treeRow, ask func(string) bool) (string, error) {
	release, err := opened.Lock(row.Session)
	if err != nil {
		return "", fmt.Errorf("%s stays: its session is open: %w", row.Path, err)
	}
	defer release()
	row, err = row.now(ctx)
	if err != nil {
		return "", err
	}
	switch {
	case o.discard:
		return "removed " + row.Path, row.discard(ctx, ask)
	case row.Unknown != "":
		return "", fmt.Errorf("%s stays: its state could not be read: %s", row.Path, row.Unknown)
	case row.holds() && o.commit:
		branch, err := row.keep(ctx)
		return fmt.Sprintf("removed %s; what was in it is on branch %s: git -C %s merge %s merges it", row.Path, branch, row.Checkout, branch), err
	case row.holds():
		return "", errors.New(row.stays())
	}
	_, err = row.note.Clear(ctx, row.repository)
	return "removed " + row.Path, err
}

// keep commits what is not committed, and removes the folder alone. The branch has it all.
func (r treeRow) keep(ctx context.Context) (branch string, err error) {
	if r.Uncommitted {
		branch, err = r.repository.Commit(ctx, r.Path, fmt.Sprintf("Keep what the subagent %q left", r.Description))
	} else {
		branch, err = r.repository.Branch(ctx, r.Path)
	}
	if err != nil {
		return "", fmt.Errorf("%s stays: %w", r.Path, err)
	}
	left, err := r.repository.Changes(ctx, r.note.Top, r.Path, r.Branch, r.Base)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s stays: %w", r.Path, err)
	case left.Dirty:
		return "", fmt.Errorf("%s stays: a commit cannot hold all of it: %s", r.Path, strings.Join(left.Names[:min(mostNamed, len(left.Names))], ", "))
	}
	if err := r.repository.Remove(ctx, r.note.Top, r.Path, r.Branch, ""); err != nil {
		return "", fmt.Errorf("%s stays: %w", r.Path, err)
	}
	err = r.note.Drop()
	worktree.DeleteGone(git.Gone(r.Path))
	return branch, err
}

// discard deletes a worktree with all that is in it. What is nowhere else is deleted
// after a yes alone, and only what the question named.
func (r treeRow) discard(ctx context.Context, ask func(string) bool) error {
	if r.holds() {
		question := fmt.Sprintf("--discard deletes %s for good: %s.", r.Path, r.loses())
		switch {
		case ask == nil:
			return fmt.Errorf("%s stays: %s Add --yes, or keep it with --commit", r.Path, question)
		case !ask(question):
			return fmt.Errorf("%s stays, with %s", r.Path, r.loses())
		}
		if asked := r; r.Unknown == "" {
			if r.look(ctx, nil); r.Commits != asked.Commits || !slices.Equal(r.Unsaved, asked.Unsaved) {
				return fmt.Errorf("%s stays: it changed meanwhile, and has %s", r.Path, r.loses())
			}
		}
	}
	switch {
	case !system.Exists(r.note.Top): // with all that git knew of it
		return errors.Join(os.RemoveAll(r.Path), r.note.Drop())
	case r.repository.Launcher == nil: // git may not be run there
		return fmt.Errorf("%s stays: %s; rm -r removes it, git worktree prune and git branch -D %s what git knows of it", r.Path, r.Unknown, r.Branch)
	}
	return errors.Join(r.repository.Discard(ctx, r.note.Top, r.Path, r.Branch), r.note.Drop())
}

// longestAnswer bounds, in bytes, what is read of answers on standard input.
const longestAnswer = 1 << 20

// completeWorktrees offers those that there are, but for the ones that are named already.
func completeWorktrees(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	notes, _ := worktree.ReadNotes(settings.FindFolders().Worktrees())
	var all []cobra.Completion
	for _, n := range notes {
		if name := filepath.Base(n.Path); !slices.Contains(args, name) {
			all = append(all, command.Described(name, n.Description))
		}
	}
	return all, command.AsListed
}
