package cli

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/app"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/host"
	"pawl/internal/hosted"
	"pawl/internal/rewind"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/ui/headless"
)

// rewindOptions say what is taken back, and to where.
type rewindOptions struct {
	to                  int64
	agent               string
	force               []string
	conversation, files bool
	dryRun, asJSON      bool
}

func newRewindCommand(w *base.World) *cobra.Command {
	var o rewindOptions
	cmd := &cobra.Command{
		Use:     "rewind [ID]",
		Short:   "Take a session back to before a prompt: its conversation, files or both.",
		GroupID: command.GroupSessions,
		Long: `Take a session back to before one of its prompts, landings or rewinds: its conversation,
what was changed in files since, or both. Without --to it lists to where it can be taken
back. Files that somebody else has changed since are named and left, unless you name
them. Nothing of the session is deleted: a rewind can be taken back like anything else.

ID is the session: its id, or how that begins or ends; left out, the newest of this
folder. It need not be open. With a subagent's id it is the files of that one alone.`,
		Example: `  pawl rewind 4f2a             # the points, with their numbers
  pawl rewind 4f2a --to 41 --dry-run
  pawl rewind 4f2a --to 41 --files --force-file src/cart.go`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: command.FirstArgument(completeSessions(w)),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), w, first(args)) },
	}
	cmd.Flags().Int64Var(&o.to, "to", 0, "Take it back to before the point with this `NUMBER`.")
	cmd.Flags().BoolVar(&o.files, "files", false, "The files alone.")
	cmd.Flags().BoolVar(&o.conversation, "conversation", false, "The conversation alone.")
	cmd.Flags().StringVar(&o.agent, "agent", "", "The files of the subagent with this `ID` alone.")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "Say what would be put back, and change nothing.")
	cmd.Flags().StringArrayVar(&o.force, "force-file", nil, "Put the file at `PATH` back although somebody else has\nchanged it. May be given more than once.")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, command.JSONUsage)
	return cmd
}

func (o *rewindOptions) run(ctx context.Context, w *base.World, name string) error {
	root, order, err := o.order(ctx, w, name)
	if err != nil {
		return err
	}
	result, err := o.carryOut(ctx, w, root.ID, root.Folder, order)
	if err != nil {
		return err
	}
	return o.print(w, order, result)
}

// order is what is asked of which root session.
func (o *rewindOptions) order(ctx context.Context, w *base.World, name string) (store.SessionInfo, headless.RewindOrder, error) {
	order := headless.RewindOrder{To: lifecycle.Seq(o.to), Conversation: o.conversation, Files: o.files, DryRun: o.dryRun}
	b, err := stored.OpenDatabase(ctx, *w, name)
	if err != nil {
		return store.SessionInfo{}, order, err
	}
	defer b.Close()
	if name == "" {
		newest, err := stored.Newest(ctx, b)
		if err != nil {
			return store.SessionInfo{}, order, err
		}
		name = string(newest)
	}
	root, member, err := sessionNamed(ctx, b, name, o.agent)
	if err != nil {
		return root, order, err
	}
	order.Session = member
	order.Force = inFolder(root.Folder, w.Folder, o.force)
	return root, order, o.check(order)
}

func (o *rewindOptions) check(order headless.RewindOrder) error {
	if o.to == 0 && (o.dryRun || o.files || o.conversation || len(o.force) > 0) {
		return system.Usage("--to is missing: pawl rewind lists the points")
	}
	if order.Check() == nil {
		return nil
	}
	switch {
	case o.to < 0:
		return system.Usage("--to takes the number of a point: pawl rewind lists them")
	case order.Session != "":
		return system.Usage("only a subagent's files can be taken back, not its conversation: leave --conversation out")
	}
	return system.Usage("--force-file names files, and --conversation leaves all files as they are")
}

// carryOut has the host do it or, where there is none, opens the session for that alone.
func (o *rewindOptions) carryOut(ctx context.Context, w *base.World, root lifecycle.SessionID, folder string, order headless.RewindOrder) (result rewind.Result, err error) {
	err = act(ctx, w, root, folder, acting{
		looks:  order.To == 0 || order.DryRun,
		hosted: func(s *hosted.Session) (err error) { result, err = s.Rewind(ctx, order); return err },
		opened: func(s *app.Session) (err error) { result, err = host.Rewind(ctx, s, order); return err },
	})
	return result, err
}

func (o *rewindOptions) print(w *base.World, order headless.RewindOrder, result rewind.Result) error {
	if o.asJSON {
		return base.PrintJSON(*w, result)
	}
	if order.To == 0 {
		return printPoints(w.Out, result.Points)
	}
	return printRewind(w.Out, order, result)
}

func printPoints(out io.Writer, points []rewind.PointLine) error {
	if len(points) == 0 {
		_, err := fmt.Fprintln(out, "There is nothing to take back yet.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "NUMBER\tTIME\tCHANGED SINCE\tBEFORE")
	for _, p := range points {
		text := words.CutLine(p.Text, 70)
		if p.Kind != "prompt" {
			text = p.Kind + ": " + text
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\n", p.Seq, p.Time.Local().Format("2006-01-02 15:04"), words.Count(p.Changed, "file"), sanitize.Line(text))
	}
	return table.Flush()
}

func printRewind(out io.Writer, order headless.RewindOrder, result rewind.Result) error {
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, f := range result.Files {
		fmt.Fprintf(table, "%s\t%s\t%s\n", rewindWords(f.State, result.Rewound != nil), sanitize.Line(f.Path), sanitize.Line(f.Why))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	last := "Nothing was changed."
	if result.Rewound != nil {
		last = rewind.Says(*result.Rewound)
	} else if conversation, _ := order.Taken(); conversation {
		last = "Nothing was changed; the conversation would be taken back too."
	}
	_, err := fmt.Fprintln(out, sanitize.Line(last))
	return err
}

// rewindWords say what becomes of a file; done says that it has become so.
func rewindWords(state rewind.State, done bool) string {
	switch state {
	case rewind.Back:
		if done {
			return "put back"
		}
		return "to put back"
	case rewind.Already:
		return "so already"
	case rewind.Cannot:
		return "cannot be put back"
	case rewind.Left:
	}
	return "left"
}
