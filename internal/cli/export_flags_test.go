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
	"pawl/internal/guard"
	"pawl/internal/host"
	"pawl/internal/stored"
	"pawl/lifecycle"
	"pawl/tools"
)

func TestTheFlagsOfAnExportSayHow(t *testing.T) {
	for want, f := range map[formats.Options]exportFlags{
		{Format: formats.Markdown}:                  {},
		{Format: formats.HTML}:                      {Output: "a/run.html"},
		{Format: formats.JSON}:                      {Output: "run.html", Format: "json"},
		{Format: formats.Markdown, Brief: true}:     {Output: "-", Brief: true},
		{Format: formats.JSON, NoContent: true}:     {Output: "run.json", NoContent: true},
		{Format: formats.HTML, Brief: true}:         {Format: "html", Brief: true, Force: true},
		{Format: formats.Markdown, NoContent: true}: {Output: "run.txt", NoContent: true},
	} {
		as, err := f.options()
		require.NoError(t, err)
		require.Equal(t, want, as)
		require.Equal(t, f != exportFlags{}, f.given())
	}
	for want, f := range map[string]exportFlags{
		`--format htm: must be one of md, html, json, trace; did you mean "html"?`: {Format: "htm"},
		"brief is for people: use md or html":                                      {Format: "json", Brief: true},
	} {
		_, err := f.options()
		var usage *host.UsageError
		require.ErrorAs(t, err, &usage)
		require.EqualError(t, err, want)
	}
}

func TestAnExportGoesIntoAFolderUnderItsOwnName(t *testing.T) {
	folder := t.TempDir()
	for want, f := range map[string]exportFlags{
		"/here/pawl-1.md":       {},
		folder + "/pawl-1.md":   {Output: folder},
		folder + "/other.md":    {Output: folder + "/other.md"},
		folder + "/none/run.md": {Output: folder + "/none/run.md"}, // writing it says what is missing
	} {
		path, err := f.path("/here", "pawl-1.md")
		require.NoError(t, err)
		require.Equal(t, want, path)
	}
	_, err := (&exportFlags{Output: folder + "/none/"}).path("/here", "pawl-1.md")
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
		f := exportFlags{Output: filepath.Join(t.TempDir(), "run.md")}
		var out bytes.Buffer
		got, err := f.write(t.Context(), &base.World{Out: &out, Guard: l}, source, 0)
		require.Equal(t, code, got)
		require.EqualError(t, err, "write "+f.Output+": stopped before it was complete; nothing of it was kept")
		require.Empty(t, out.String())
		left, err := os.ReadDir(filepath.Dir(f.Output))
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

// What an export without content keeps by name is what Pawl offers: a new tool is to be
// decided on.
func TestToolsOfPawlsOwnAreNamedWithoutContent(t *testing.T) {
	own := slices.Concat(tools.WorkingNames(), tools.DelegationNames(), []string{"shell_output", "shell_kill"})
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
