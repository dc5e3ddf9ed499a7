package export

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export/formats"
	"pawl/internal/system"
)

func writing(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// names lists a folder: what an export leaves behind.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	all := []string{}
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

func TestFileIsPrivateAndWhole(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.md")
	require.NoError(t, ToFile(t.Context(), path, false, writing("one")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	require.Equal(t, []string{"a.md"}, names(t, folder))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "one", string(text))
}

func TestFileIsReplacedOnlyByForce(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.md")
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o644))

	err := ToFile(t.Context(), path, false, func(io.Writer) error { t.Fatal("the work was begun"); return nil })
	require.ErrorIs(t, err, ErrExists)
	require.EqualError(t, err, "write "+path+": the file exists already: choose another name, or replace it with --force")

	require.NoError(t, ToFile(t.Context(), path, true, writing("yours")))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "yours", string(text))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode())
	require.Equal(t, []string{"a.md"}, names(t, folder))
}

// Another program takes the name while the export is being written.
func TestFileOfTheSameNameMeanwhileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.md")
	err := ToFile(t.Context(), path, false, func(w io.Writer) error {
		return os.WriteFile(path, []byte("theirs"), 0o600)
	})
	require.ErrorIs(t, err, ErrExists)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "theirs", string(text))
	require.Equal(t, []string{"a.md"}, names(t, filepath.Dir(path)))
}

func TestNothingIsLeftOfAFailure(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.md")
	kept := filepath.Join(folder, "kept.md")
	require.NoError(t, os.WriteFile(kept, []byte("kept"), 0o600))
	broken := errors.New("no more records")

	err := ToFile(t.Context(), kept, true, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half of it")
		return broken
	})
	require.ErrorIs(t, err, broken)

	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped by a key")
	err = ToFile(ctx, path, false, func(w io.Writer) error {
		cancel(stopped)
		return writing("late")(w)
	})
	require.ErrorIs(t, err, stopped)
	err = ToFile(ctx, path, false, func(io.Writer) error { return nil })
	require.ErrorIs(t, err, stopped)

	require.Panics(t, func() { _ = ToFile(t.Context(), path, false, func(io.Writer) error { panic("a bug") }) })

	require.Equal(t, []string{"kept.md"}, names(t, folder))
	text, err := os.ReadFile(kept)
	require.NoError(t, err)
	require.Equal(t, "kept", string(text))
}

func TestOnlyRegularFilesAreReplaced(t *testing.T) {
	folder := t.TempDir()
	require.ErrorContains(t, ToFile(t.Context(), folder, true, writing("x")), "there is a folder of that name")

	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.WriteFile(elsewhere, []byte("theirs"), 0o600))
	link := filepath.Join(folder, "link.md")
	require.NoError(t, os.Symlink(elsewhere, link))
	require.ErrorContains(t, ToFile(t.Context(), link, true, writing("x")), "not a regular file")
	text, err := os.ReadFile(elsewhere)
	require.NoError(t, err)
	require.Equal(t, "theirs", string(text))

	require.ErrorIs(t, ToFile(t.Context(), filepath.Join(folder, "none", "a.md"), false, writing("x")), fs.ErrNotExist)
}

func TestUniqueFindsAFreeName(t *testing.T) {
	folder := t.TempDir()
	for _, all := range [][]string{{"pawl-1.md", "pawl-1-2.md", "pawl-1-3.md"}, {"pawl-1.trace.json", "pawl-1-2.trace.json"}, {"pawl-1.json", "pawl-1-2.json"}} {
		for _, want := range all {
			free := Unique(filepath.Join(folder, all[0]))
			require.Equal(t, want, filepath.Base(free))
			require.NoError(t, ToFile(t.Context(), free, false, writing("x")))
		}
	}
}

func TestNameIsOneName(t *testing.T) {
	require.Equal(t, "pawl-0198f0a2-7c1e.md", Name("0198f0a2-7c1e", formats.Markdown))
	require.Equal(t, "pawl-0198f0a2-7c1e.json", Name("0198f0a2-7c1e", formats.JSON))
	require.Equal(t, "pawl-0198f0a2-7c1e.trace.json", Name("0198f0a2-7c1e", formats.Trace))
	for path, want := range map[string]formats.Format{"a.trace.json": formats.Trace, "a.json": formats.JSON, "trace.json": formats.JSON, "a.html": formats.HTML, "a": formats.Markdown} {
		require.Equal(t, want, formats.Of(path), path)
	}
	require.Equal(t, "pawl-___etc_passwd.md", Name("../etc/passwd", formats.Markdown))
}

// A process that was killed in the middle of an export left its hidden file. The next
// one removes it, but none that is still written or that may have just been begun.
func TestWhatAKilledExportLeftIsSwept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a[b]*c")
	require.NoError(t, os.Mkdir(folder, 0o700))
	old := time.Now().Add(-2 * scratchAge)
	leave := func(name string, age time.Time) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
		require.NoError(t, os.Chtimes(path, age, age))
		return path
	}
	leave(scratchName+"1", old)
	young := leave(scratchName+"2", time.Now())
	written, err := os.Open(leave(scratchName+"3", old))
	require.NoError(t, err)
	defer written.Close()
	require.NoError(t, system.LockFile(written, system.LockNow))
	require.NoError(t, os.Symlink(young, filepath.Join(folder, scratchName+"4")))
	leave("pawl-1.md", old)
	require.NoError(t, ToFile(t.Context(), filepath.Join(folder, "new.md"), false, func(w io.Writer) error {
		sweep(folder, time.Now().Add(2*scratchAge)) // of another one, meanwhile: young is left over by then, ours is not
		return writing("x")(w)
	}))
	require.Equal(t, []string{scratchName + "3", scratchName + "4", "new.md", "pawl-1.md"}, names(t, folder))
}

func TestWhyThereIsNoFileIsSaidPlainly(t *testing.T) {
	folder := t.TempDir()
	err := ToFile(t.Context(), filepath.Join(folder, "none", "a.md"), false, writing("x"))
	require.EqualError(t, err, "write "+folder+"/none/a.md: there is no folder "+folder+"/none: make it first")
	path := filepath.Join(folder, "a.md")
	err = ToFile(t.Context(), path, false, func(io.Writer) error {
		return &fs.PathError{Op: "write", Path: filepath.Join(folder, scratchName+"1"), Err: syscall.ENOSPC}
	})
	require.EqualError(t, err, "write "+path+": no space left on device")
	require.ErrorIs(t, err, syscall.ENOSPC)
}
