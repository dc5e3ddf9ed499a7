package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/export"
	"pawl/export/book"
	"pawl/export/formats"
	"pawl/internal/base"
	"pawl/internal/guard"
	"pawl/internal/host"
	"pawl/internal/stored"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// exportFlags say what of a session is written, in which format, and where to. Every
// command that writes one has them.
type exportFlags struct {
	Format    string `placeholder:"FORMAT" complete:"format" help:"md for reading, html for one page with a picture of all runs, json for programs, trace for Perfetto; if not given, by the ending of FILE, else md."`
	Brief     bool   `help:"One page for people, in md or html: what was asked, who did what, how each ended, what it cost."`
	NoContent bool   `help:"Structure only, safe to share: each text is replaced by its length."`
	Output    string `short:"o" placeholder:"FILE" complete:"files" help:"The file or folder to write to; pawl-ID.FORMAT in this folder if not given, - for standard output."`
	Force     bool   `help:"Overwrite the file if it is there."`
}

// given says that something is to be written: that the user said how or where to.
func (f *exportFlags) given() bool { return *f != exportFlags{} }

// options are how the session is to be written.
func (f *exportFlags) options() (formats.Options, error) {
	as := formats.Options{Format: formats.Format(f.Format), Brief: f.Brief, NoContent: f.NoContent}
	if as.Format == "" {
		as.Format = formats.Of(f.Output)
	}
	if names := formatNames(); !slices.Contains(names, string(as.Format)) {
		return as, host.Usage(fmt.Sprintf("--format %s: must be one of %s%s", f.Format, strings.Join(names, ", "), words.DidYouMean(f.Format, names)))
	}
	if err := as.Check(); err != nil {
		return as, host.Usage(err.Error())
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
func (f *exportFlags) write(ctx context.Context, w *base.World, source book.Source, upto lifecycle.Seq) (int, error) {
	as, err := f.options()
	if err != nil {
		return host.ExitUsage, err
	}
	root := source.Session.ID
	stored.SpareMemory(as.Format)
	if f.Output == "-" {
		return host.ExitDone, export.Write(ctx, w.Out, as, source, root, upto)
	}
	path, err := f.path(w.Folder, export.Name(root, as.Format))
	if err != nil {
		return host.ExitUsage, err
	}
	ctx, stopped := stoppable(ctx, w.Guard)
	err = stored.Export(ctx, path, f.Force, as, source, upto)
	if code := stopped(); code != host.ExitDone && err != nil {
		return code, err
	}
	if err != nil {
		return host.ExitError, stored.Elsewhere(err, "-o FILE")
	}
	_, err = fmt.Fprintln(w.Out, path)
	return host.ExitDone, err
}

// path is where the file goes: into this folder if nothing is said, and under its own
// name into a folder that is named, as cp does it.
func (f *exportFlags) path(here, name string) (string, error) {
	if f.Output == "" {
		return filepath.Join(here, name), nil
	}
	info, err := os.Stat(f.Output)
	switch folder := strings.HasSuffix(f.Output, string(filepath.Separator)); {
	case err == nil && info.IsDir():
		return filepath.Join(f.Output, name), nil
	case folder:
		return "", host.Usage(fmt.Sprintf("-o %s: there is no such folder; make it first, or name a file", f.Output))
	}
	return f.Output, nil
}

// errStopped is why an export ends that a signal stopped.
var errStopped = errors.New("stopped before it was complete; nothing of it was kept")

// stoppable ends a context with the first signal that asks for the end. The returned
// function ends the watch and gives the exit code of that signal, exitDone without one.
func stoppable(ctx context.Context, l *guard.Conn) (context.Context, func() int) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, release := guard.ExitSignals(l, nil)
	ended, came := make(chan struct{}), make(chan int, 1)
	go func() {
		select {
		case code := <-signals:
			cancel(errStopped)
			came <- code
		case <-ended:
			came <- host.ExitDone
		}
	}()
	return ctx, func() int {
		close(ended)
		defer release()
		defer cancel(nil)
		return <-came
	}
}
