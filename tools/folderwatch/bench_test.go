package folderwatch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/tools/filestore"
	"pawl/tools/git"
	"pawl/tools/process"
)

func BenchmarkCommandIn20000Files(b *testing.B)  { benchmarkCommand(b, 200, 100) }
func BenchmarkCommandIn200000Files(b *testing.B) { benchmarkCommand(b, 2000, 100) }

// benchmarkCommand measures what a command takes longer in a checkout of so many files: ms/quiet of
// one that changes nothing, ms/edit of one that changes a file.
func benchmarkCommand(b *testing.B, folders, files int) {
	dir := b.TempDir()
	for i := range folders {
		in := filepath.Join(dir, fmt.Sprintf("group%d/folder%d", i/20, i))
		require.NoError(b, os.MkdirAll(in, 0o755))
		for j := range files {
			require.NoError(b, os.WriteFile(filepath.Join(in, fmt.Sprintf("file%d.go", j)), []byte(fmt.Sprintf("package folder%d // %d\n", i, j)), 0o644))
		}
	}
	gittest.Run(b, dir, "init", "-q")
	gittest.Run(b, dir, "add", ".")
	gittest.Run(b, dir, "commit", "-q", "-m", "begin")
	store := filestore.New(filepath.Join(b.TempDir(), "kept"))
	defer store.Close()
	set := NewSet(Options{Store: store, Repository: func() (git.Repository, error) {
		return git.Repository{Checkout: git.Look(dir), Folder: dir, Launcher: &process.Launcher{}}, nil
	}})
	defer set.Close()
	began := time.Now()
	w, done := set.Use(dir)
	defer done()
	<-w.ready
	b.ReportMetric(float64(time.Since(began).Microseconds())/1e3, "ms/first")
	w.background.Wait()
	b.ReportMetric(float64(time.Since(began).Microseconds())/1e3, "ms/learned")
	var quiet, edit, fromGit time.Duration
	measure := func(do func()) time.Duration {
		time.Sleep(freshFor)
		began := time.Now()
		c := w.Begin(b.Context(), "run", "call")
		added := time.Since(began)
		do()
		began = time.Now()
		c.End(b.Context())
		return added + time.Since(began)
	}
	n := 0
	for b.Loop() {
		quiet += measure(func() {})
		edit += measure(func() {
			n++
			require.NoError(b, os.WriteFile(filepath.Join(dir, "group0/folder0/file0.go"), fmt.Appendf(nil, "package edited // %d\n", n), 0o644))
		})
		fromGit += measure(func() {
			require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("group0/folder1/file%d.go", n)), []byte("package edited\n"), 0o644))
		})
	}
	for name, took := range map[string]time.Duration{"quiet": quiet, "edit": edit, "git": fromGit} {
		b.ReportMetric(float64(took.Microseconds())/1e3/float64(b.N), "ms/"+name)
	}
	require.Empty(b, w.Unwatched())
}
