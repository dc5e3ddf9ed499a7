package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/export"
	"pawl/export/book"
	"pawl/export/formats"
	"pawl/export/redact"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/guard"
	"pawl/internal/stored"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/tools"
)

func TestTheFlagsOfAnExportSayHow(t *testing.T) {
	for want, f := range map[formats.Options]exportOptions{
		{Format: formats.Markdown}:                  {},
		{Format: formats.HTML}:                      {output: "a/run.html"},
		{Format: formats.JSON}:                      {output: "run.html", Options: formats.Options{Format: "json"}},
		{Format: formats.Markdown, Brief: true}:     {output: "-", Options: formats.Options{Brief: true}},
		{Format: formats.JSON, NoContent: true}:     {output: "run.json", Options: formats.Options{NoContent: true}},
		{Format: formats.HTML, Brief: true}:         {force: true, Options: formats.Options{Format: "html", Brief: true}},
		{Format: formats.Markdown, NoContent: true}: {output: "run.txt", Options: formats.Options{NoContent: true}},
	} {
		as, err := f.checked()
		require.NoError(t, err)
		require.Equal(t, want, as)
		require.Equal(t, f != exportOptions{}, f.given())
	}
	for want, f := range map[string]exportOptions{
		"brief works only with md or html":                                     {Options: formats.Options{Format: "json", Brief: true}},
		"-o --force: that looks like a flag; a file of that name is ./--force": {output: "--force"},
	} {
		_, err := f.checked()
		var usage *system.UsageError
		require.ErrorAs(t, err, &usage)
		require.EqualError(t, err, want)
	}
}

func TestAnExportGoesIntoAFolderUnderItsOwnName(t *testing.T) {
	folder := t.TempDir()
	for want, f := range map[string]exportOptions{
		"/here/pawl-1.md":       {},
		folder + "/pawl-1.md":   {output: folder},
		folder + "/other.md":    {output: folder + "/other.md"},
		folder + "/none/run.md": {output: folder + "/none/run.md"}, // writing it says what is missing
	} {
		path, err := f.path("/here", "pawl-1.md")
		require.NoError(t, err)
		require.Equal(t, want, path)
	}
	_, err := (&exportOptions{output: folder + "/none/"}).path("/here", "pawl-1.md")
	require.EqualError(t, err, "-o "+folder+"/none/: there is no such folder; make it first, or name a file")
}

// A signal in the middle ends the export with its exit code and leaves nothing.
func TestASignalEndsAnExportAndLeavesNothing(t *testing.T) {
	for s, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		l := &guard.Conn{}
		source := book.Source{
			Session: book.Session{ID: "one"},
			Runs: func(ctx context.Context, _ lifecycle.SessionID, _, _ int) ([]lifecycle.Run, error) {
				l.Take(s)
				<-ctx.Done() // the middle of it lasts until somebody asks for the end
				return nil, errors.New("interrupted (9)")
			},
		}
		f := exportOptions{output: filepath.Join(t.TempDir(), "run.md")}
		var out bytes.Buffer
		err := f.write(t.Context(), &base.World{Out: &out, Guard: l}, source, 0)
		require.Equal(t, code, command.ExitCode(err))
		require.EqualError(t, errors.Unwrap(err), "write "+f.output+": stopped before it was complete; nothing of it was kept")
		require.Empty(t, out.String())
		left, err := os.ReadDir(filepath.Dir(f.output))
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

// What an export without content keeps by name is what Pawl offers: a new tool is to be
// decided on.
func TestToolsOfPawlsOwnAreNamedWithoutContent(t *testing.T) {
	own := slices.Concat(tools.WorkingNames(), tools.DelegationNames(), []string{"shell_output", "shell_kill", tools.SearchName})
	slices.Sort(own)
	require.Equal(t, slices.Compact(own), redact.OwnTools())
}

func TestAnExportThatCannotBeWrittenHereSaysHowElsewhere(t *testing.T) {
	for _, cannot := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EACCES, syscall.EPERM} {
		err := fmt.Errorf("write a.md: %w", &fs.PathError{Op: "open", Path: "a.md", Err: cannot})
		require.ErrorIs(t, stored.Elsewhere(err, "-o FILE"), cannot)
		require.EqualError(t, stored.Elsewhere(err, "-o FILE"), err.Error()+"; -o FILE puts it elsewhere")
	}
	require.Equal(t, export.ErrExists, stored.Elsewhere(export.ErrExists, "-o FILE"), "elsewhere is no help there")
}
