//go:build unix

package folderwatch

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/gittest"
	"pawl/tools/filestore"
	"pawl/tools/git"
	"pawl/tools/process"
)

func BenchmarkCommandIn20000Files(b *testing.B)           { benchmarkCommand(b, 200, 100, false) }
func BenchmarkCommandIn200000Files(b *testing.B)          { benchmarkCommand(b, 2000, 100, false) }
func BenchmarkCommandIn90000FilesUnreported(b *testing.B) { benchmarkCommand(b, 900, 100, true) }

// benchmarkCommand measures what a command takes longer in a checkout of so many files: one that
// changes nothing, one that changes a file whose content is known, and one a file that git has. Where
// the kernel is not asked to tell of changes, everything is looked at.
func benchmarkCommand(b *testing.B, folders, files int, deaf bool) {
	dir := b.TempDir()
	for i := range folders {
		in := filepath.Join(dir, fmt.Sprintf("group%d/folder%d", i/20, i))
		require.NoError(b, os.MkdirAll(in, 0o755))
		for j := range files {
			require.NoError(b, os.WriteFile(filepath.Join(in, fmt.Sprintf("file%d.go", j)), []byte(fmt.Sprintf("package folder%d // %d\n", i, j)), 0o644))
		}
	}
	gittest.Run(b, dir, "init", "-q")
	gittest.Run(b, dir, "config", "gc.auto", "0") // it would go on beside
	gittest.Run(b, dir, "add", ".")
	gittest.Run(b, dir, "commit", "-q", "-m", "begin")
	store := filestore.New(filepath.Join(b.TempDir(), "kept"))
	defer store.Close()
	set := NewSet(Options{Store: store, deaf: deaf, Repository: func() (git.Repository, error) {
		return git.Repository{Checkout: git.Look(dir), Folder: dir, Launcher: &process.Launcher{}}, nil
	}})
	defer set.Close()
	began := time.Now()
	w, done := set.Use(dir)
	defer done()
	<-w.ready
	first := time.Since(began)
	w.background.Wait()
	learned := time.Since(began)
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	took := map[string][]float64{}
	n := 0
	for b.Loop() {
		n++
		for what, change := range map[string]func() error{
			"quiet": func() error { return nil },
			"edit": func() error {
				return os.WriteFile(filepath.Join(dir, "group0/folder0/file0.go"), fmt.Appendf(nil, "package edited // %d\n", n), 0o644)
			},
			"git": func() error {
				return os.WriteFile(filepath.Join(dir, fmt.Sprintf("group0/folder1/file%d.go", n)), []byte("package edited\n"), 0o644)
			},
		} {
			w.mu.Lock()
			w.looked = time.Time{} // a model has thought meanwhile
			w.mu.Unlock()
			began := time.Now()
			c := w.Begin(b.Context(), "run", "call")
			added := time.Since(began)
			require.NoError(b, change())
			w.background.Wait() // as a command takes its time
			began = time.Now()
			before := processorTime(b)
			c.End(b.Context())
			took["cpu-"+what] = append(took["cpu-"+what], (processorTime(b)-before).Seconds()*1e3)
			took[what] = append(took[what], (added+time.Since(began)).Seconds()*1e3)
		}
	}
	for what, all := range took {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], "ms/"+what)
		b.ReportMetric(all[0], "ms/best-"+what)
	}
	b.ReportMetric(float64(memory.HeapAlloc)/(1<<20), "MiB/heap")
	b.ReportMetric(first.Seconds()*1e3, "ms/first")
	b.ReportMetric(learned.Seconds()*1e3, "ms/learned")
	require.Empty(b, w.Unwatched())
}

// processorTime is what this process has used of it, which a busy machine does not make longer.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used unix.Rusage
	require.NoError(b, unix.Getrusage(unix.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
