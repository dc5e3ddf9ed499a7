package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/export/book"
	"pawl/export/changes"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
)

type changesOptions struct {
	patch, asJSON bool
	run, file     string
}

func newChangesCommand(w *base.World) *cobra.Command {
	var o changesOptions
	cmd := &cobra.Command{
		Use:     "changes [ID]",
		Short:   "Print what a session changed in files: by prompt, by run and by file.",
		GroupID: command.GroupSessions,
		Long: `Print what a session changed in files: by prompt, by run and by file.

ID is the session: its id, or how that begins or ends. Without one it is the newest of
this folder. An export as JSON says which files were changed, but not what they held.`,
		Example: `  pawl changes                           # of the newest session of this folder
  pawl changes 4f2a --run A1             # of its first subagent
  pawl changes 4f2a --patch | git apply -R   # take them back, where nothing else changed
  pawl changes 4f2a --file main.go --json    # for programs`,
		Args:              command.Takes("[ID]"),
		ValidArgsFunction: completeRecordings(w),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printChanges(cmd.Context(), w, first(args), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.patch, "patch", false, "A patch that git apply takes in the session's folder.")
	flags.BoolVar(&o.asJSON, "json", false, command.JSONUsage)
	flags.StringVar(&o.run, "run", "", "Only what one `RUN` changed: its name (P2, A1.1), that\nof a subagent (A1), or an id.")
	flags.StringVar(&o.file, "file", "", "Only this `PATH`, in the session's folder.")
	return cmd
}

func printChanges(ctx context.Context, w *base.World, name string, o changesOptions) error {
	if o.patch && o.asJSON {
		return system.Usage("--patch and --json are two forms: choose one")
	}
	if name == "" {
		var err error
		if name, err = newestHere(ctx, w); err != nil {
			return err
		}
	}
	t, err := stored.Open(ctx, *w, name)
	if err != nil {
		return err
	}
	defer t.Close()
	b, err := book.Open(ctx, t.Source, t.Source.Session.ID, t.Upto)
	if err != nil {
		return err
	}
	filter := changes.Filter{Path: pathInFolder(o.file)}
	if filter.Session, filter.Run, err = runNamed(b, o.run); err != nil {
		return err
	}
	report, err := changes.Open(ctx, b, filter)
	if err != nil {
		return err
	}
	return o.print(ctx, w, report)
}

func (o changesOptions) print(ctx context.Context, w *base.World, report *changes.Report) error {
	switch {
	case o.asJSON:
		return report.JSON(ctx, w.Out)
	case o.patch:
		out := w.Out
		if base.WritesTerminal(out) {
			out = cleaned{out}
		}
		return report.Patch(ctx, out)
	}
	var paint func(changes.Ink, string) string
	if base.LookOf(*w).Colour {
		paint = inColour
	}
	return report.Text(ctx, w.Out, paint)
}

// cleaned keeps what files held from acting on a terminal. Each write is a whole text.
type cleaned struct{ to io.Writer }

func (c cleaned) Write(text []byte) (int, error) {
	if _, err := io.WriteString(c.to, sanitize.Clean(string(text)).String()); err != nil {
		return 0, err
	}
	return len(text), nil
}

func inColour(ink changes.Ink, text string) string {
	codes := map[changes.Ink]string{
		changes.Strong: "1", changes.Quiet: "2", changes.Came: "32", changes.Went: "31", changes.Hunk: "36", changes.Caution: "33",
	}
	if code := codes[ink]; code != "" && text != "" {
		return "\x1b[" + code + "m" + text + "\x1b[m"
	}
	return text
}

// newestHere is the newest session of this folder.
func newestHere(ctx context.Context, w *base.World) (string, error) {
	b, err := stored.OpenDatabase(ctx, *w, "")
	if err != nil {
		return "", err
	}
	defer b.Close()
	newest, err := stored.Newest(ctx, b)
	return string(newest), err
}

// pathInFolder is a path as records have it.
func pathInFolder(path string) string {
	return strings.TrimPrefix(strings.ReplaceAll(path, string(os.PathSeparator), "/"), "./")
}

// runNamed finds the run or the subagent that a name means: P2, A1.1, A1, or an id or its end.
func runNamed(b *book.Book, name string) (session lifecycle.SessionID, run lifecycle.RunID, err error) {
	if name == "" {
		return "", "", nil
	}
	for _, s := range b.Sessions {
		if s.Name == name || string(s.ID) == name {
			return s.ID, "", nil
		}
	}
	var known []string
	for _, r := range b.Runs {
		if b.Name(r.ID) == name || string(r.ID) == name {
			return "", r.ID, nil
		}
		if len(name) >= 4 && (strings.HasSuffix(string(r.ID), name) || strings.HasPrefix(string(r.ID), name)) {
			if run != "" {
				return "", "", system.Usage(fmt.Sprintf("--run %s: several runs have such an id; name more of it", name))
			}
			run = r.ID
		}
		known = append(known, b.Name(r.ID))
	}
	if run == "" {
		return "", "", system.Usage(fmt.Sprintf("--run %s: the session has no such run%s", name, words.DidYouMean(name, known)))
	}
	return "", run, nil
}
