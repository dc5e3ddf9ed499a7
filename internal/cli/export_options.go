package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pawl/export"
	"pawl/export/book"
	"pawl/export/formats"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/guard"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/lifecycle"
)

// exportOptions say what of a session is written, in which format, and where to. Every
// command that writes one has their flags.
type exportOptions struct {
	formats.Options
	output string
	force  bool
}

func (o *exportOptions) bind(cmd *cobra.Command) {
	command.AddChoice(cmd, (*string)(&o.Format), "format", "The `FORMAT`: md for reading, html for one page with a\npicture of all runs, json for programs, trace for\nPerfetto, patch for git apply; if not given, by the\nending of FILE, else md.", formatNames()...)
	flags := cmd.Flags()
	flags.BoolVar(&o.Brief, "brief", false, "One page for people, in md or html: what was asked,\nwho did what, how each ended, what it cost.")
	flags.BoolVar(&o.NoContent, "no-content", false, "Structure only, safe to share: each text is replaced\nby its length.")
	flags.StringVarP(&o.output, "output", "o", "", "The `FILE` or folder to write to; pawl-ID.FORMAT in this\nfolder if not given, - for standard output.")
	flags.BoolVar(&o.force, "force", false, "Overwrite the file if it is there.")
	cobra.CheckErr(cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)))
}

// given says that something is to be written: that the user said how or where to.
func (o *exportOptions) given() bool { return *o != exportOptions{} }

// checked are the options with which the session is to be written: without a format, the
// one of the file.
func (o *exportOptions) checked() (formats.Options, error) {
	as := o.Options
	if as.Format == "" {
		as.Format = formats.Of(o.output)
	}
	if len(o.output) > 1 && strings.HasPrefix(o.output, "-") {
		return as, system.Usage(fmt.Sprintf("-o %s: that looks like a flag; a file of that name is ./%s", o.output, o.output))
	}
	if err := as.Check(); err != nil {
		return as, system.Usage(err.Error())
	}
	return as, nil
}

func formatNames() []string {
	var names []string
	for _, format := range formats.All() {
		names = append(names, string(format))
	}
	return names
}

// write writes a session as it stood at a record, and says where it is. A signal that
// asks for the end leaves no file, and is the exit code. To standard output it just
// ends: nobody knows how long its reader makes it wait.
func (o *exportOptions) write(ctx context.Context, w *base.World, source book.Source, upto lifecycle.Seq) error {
	as, err := o.checked()
	if err != nil {
		return err
	}
	root := source.Session.ID
	stored.SpareMemory(as.Format)
	if o.output == "-" {
		out := w.Out
		if as.Format == formats.Patch && base.WritesTerminal(out) {
			out = cleaned{out}
		}
		return export.Write(ctx, out, as, source, root, upto)
	}
	path, err := o.path(w.Folder, export.Name(root, as.Format))
	if err != nil {
		return err
	}
	ctx, stopped := stoppable(ctx, w.Guard)
	err = stored.Export(ctx, path, o.force, as, source, upto)
	if code := stopped(); err != nil {
		return command.Ended(code, stored.Elsewhere(err, "-o FILE"))
	}
	_, err = fmt.Fprintln(w.Out, path)
	return err
}

// path is where the file goes: into this folder if nothing is said, and under its own
// name into a folder that is named, as cp does it.
func (o *exportOptions) path(here, name string) (string, error) {
	if o.output == "" {
		return filepath.Join(here, name), nil
	}
	info, err := os.Stat(o.output)
	switch folder := strings.HasSuffix(o.output, string(filepath.Separator)); {
	case err == nil && info.IsDir():
		return filepath.Join(o.output, name), nil
	case folder:
		return "", system.Usage(fmt.Sprintf("-o %s: there is no such folder; make it first, or name a file", o.output))
	}
	return o.output, nil
}

// errStopped is why an export ends that a signal stopped.
var errStopped = errors.New("stopped before it was complete; nothing of it was kept")

// stoppable ends a context with the first signal that asks for the end. The returned
// function ends the watch and gives the exit code of that signal, system.ExitDone without one.
func stoppable(ctx context.Context, l *guard.Conn) (context.Context, func() int) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, release := guard.ExitSignals(l)
	ended, came := make(chan struct{}), make(chan int, 1)
	go func() {
		select {
		case code := <-signals:
			cancel(errStopped)
			came <- code
		case <-ended:
			came <- system.ExitDone
		}
	}()
	return ctx, func() int {
		close(ended)
		defer release()
		defer cancel(nil)
		return <-came
	}
}
