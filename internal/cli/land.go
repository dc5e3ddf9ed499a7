package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
	"pawl/internal/hosted"
	"pawl/internal/landing"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// landOptions say what is landed, and how.
type landOptions struct {
	agent, message                   string
	commit, dryRun, sendBack, asJSON bool
}

func newLandCommand(w *base.World) *cobra.Command {
	var o landOptions
	cmd := &cobra.Command{
		Use:     "land ID [FILE…]",
		Short:   "Bring what a subagent changed in its worktree into the folder.",
		GroupID: command.GroupSessions,
		Long: `Bring what a subagent changed in its worktree into the folder of its session: merged
with the folder as it is now, and put in place whole or not at all. What git cannot merge
is named and left, and so is what is not named here, if any file is. Nothing is committed
unless you say so. What is landed wholly takes its worktree with it.

ID is the session or the subagent: its id, or how that begins or ends. The session need
not be open.`,
		Example: `  pawl land 4f2a                 # all that its only subagent with changes has left
  pawl land 4f2a --dry-run
  pawl land 4f2a --agent 9c1e src/cart.go docs
  pawl land 9c1e --commit -m "Fix the cart"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("ID is missing")
			}
			return nil
		},
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), w, args[0], args[1:]) },
	}
	cmd.Flags().StringVar(&o.agent, "agent", "", "The subagent with this `ID`, where several have\nleft changes.")
	cmd.Flags().BoolVar(&o.commit, "commit", false, "Commit just what is landed, on the branch that is\nchecked out.")
	cmd.Flags().StringVarP(&o.message, "message", "m", "", "With --commit: its message, `TEXT`.")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "Say what would be landed, and change nothing.")
	cmd.Flags().BoolVar(&o.sendBack, "send-back", false, "Send what git cannot merge back to the subagent, and\nland nothing.")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, command.JSONUsage)
	return cmd
}

func (o *landOptions) check() error {
	switch {
	case o.message != "" && !o.commit:
		return system.Usage("-m goes with --commit")
	case o.sendBack && (o.commit || o.dryRun):
		return system.Usage("--send-back lands nothing: use it without --commit and --dry-run")
	}
	return nil
}

func (o *landOptions) run(ctx context.Context, w *base.World, name string, files []string) error {
	if err := o.check(); err != nil {
		return err
	}
	b, err := stored.OpenDatabase(ctx, *w, name)
	if err != nil {
		return err
	}
	root, member, err := sessionNamed(ctx, b, name, o.agent)
	b.Close()
	if err != nil {
		return err
	}
	order := headless.LandOrder{Session: member, Files: files, Commit: o.commit, Text: o.message, DryRun: o.dryRun, SendBack: o.sendBack}
	order.Files = inFolder(root.Folder, w.Folder, files)
	result, err := o.carryOut(ctx, w, root.ID, root.Folder, order)
	return o.print(w, result, err)
}

// inFolder are the names of files relative to a session's folder, which were named from another one.
func inFolder(folder, from string, files []string) []string {
	var names []string
	for _, file := range files {
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(from, path)
		}
		if within, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(within) {
			file = filepath.ToSlash(within)
		}
		names = append(names, file)
	}
	return names
}

// carryOut has the host do it or, where there is none, opens the session for that alone.
func (o *landOptions) carryOut(ctx context.Context, w *base.World, root lifecycle.SessionID, folder string, order headless.LandOrder) (result landing.Result, err error) {
	err = act(ctx, w, root, folder, acting{
		looks:  order.DryRun,
		hosted: func(s *hosted.Session) (err error) { result, err = s.Land(ctx, order); return err },
		opened: func(s *app.Session) (err error) {
			if o.sendBack {
				return fmt.Errorf("session %s is not open, so its subagent cannot go on: pawl attach %s opens it", root, hosted.ShortID(root))
			}
			result, err = host.Land(ctx, s, order)
			return err
		},
	})
	return result, err
}

// print says what was landed, or would be. What could not be makes it exit 1.
func (o *landOptions) print(w *base.World, result landing.Result, err error) error {
	if result.Plan == nil {
		return err
	}
	var wrong error
	if o.asJSON {
		wrong = base.PrintJSON(*w, result.Line())
	} else {
		wrong = o.printText(w.Out, result)
	}
	if err = errors.Join(wrong, err); err == nil && !result.Clean() && !o.sendBack {
		return command.Ended(system.ExitError, nil)
	}
	return err
}

func (o *landOptions) printText(out io.Writer, result landing.Result) error {
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, f := range result.Files {
		name := f.Path
		if f.From != "" {
			name = f.From + " → " + f.Path
		}
		about := fmt.Sprintf("+%d −%d", f.Added, f.Removed)
		if f.Binary {
			about = "binary"
		}
		if f.Why != "" {
			about = f.Why
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", stateWords(f.State, result.Landed != nil), sanitize.Line(name), sanitize.Line(about))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, f := range result.Of(landing.Conflict) {
		if err := printConflicts(out, f); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out, sanitize.Line(o.sum(result)))
	if err == nil && result.Warning != "" {
		_, err = fmt.Fprintln(out, sanitize.Line(result.Warning))
	}
	return err
}

// stateWords says what becomes of a file; landed says that it has become so.
func stateWords(state landing.State, landed bool) string {
	switch state {
	case landing.Lands:
		if landed {
			return "landed"
		}
		return "lands"
	case landing.There:
		return "there already"
	case landing.Conflict:
		return "in conflict"
	case landing.Left:
	}
	return "left"
}

func printConflicts(out io.Writer, f landing.File) error {
	for _, c := range f.Conflicts {
		text := fmt.Sprintf("\n%s:%d\n  in the folder:\n%s  in the worktree:\n%s", f.Path, c.Line, indented(c.Folder), indented(c.Worktree))
		if _, err := io.WriteString(out, string(sanitize.Clean(text))); err != nil {
			return err
		}
	}
	return nil
}

func indented(text string) string {
	if text == "" {
		return "    (nothing)\n"
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + strings.TrimRight(line, "\r\n") + "\n")
	}
	return b.String()
}

// sum is the last line: what was done.
func (o *landOptions) sum(result landing.Result) string {
	switch landed := result.Landed; {
	case landed != nil:
		text := landing.Says(*landed)
		if n := len(result.Of(landing.Conflict)); n > 0 {
			text += fmt.Sprintf("; %s could not be merged, and the worktree has them still", words.Count(n, "file"))
		}
		return text
	case o.sendBack:
		return "sent back: " + words.Count(len(result.Of(landing.Conflict)), "file")
	}
	return "Nothing was changed: " + result.Says()
}
