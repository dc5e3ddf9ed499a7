package bench

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
)

// What cannot be undercut: testdata/floor does what a start must, in as many processes, and no more.

// BenchmarkFloorProgram starts the installed program for one word: a front, a guard and a host are
// such a beginning each, one after the other.
func BenchmarkFloorProgram(b *testing.B) {
	path, err := harness.Installed()
	require.NoError(b, err)
	var times []float64
	for range 4 * benchRuns {
		begun := time.Now()
		require.NoError(b, exec.Command(path, "version").Run())
		times = append(times, milliseconds(time.Since(begun)))
	}
	measured(b, floorProgram, "", times...)
}

// BenchmarkFloorStart is BenchmarkAimStart and BenchmarkAimIdle for it: three processes.
func BenchmarkFloorStart(b *testing.B) {
	path, database := floor(b), filepath.Join(b.TempDir(), "floor.db")
	var times, memory []float64
	for i := range 4*benchRuns + 1 {
		x := openProgram(b, path, b.TempDir(), nil, "3", database)
		x.press(benchLetter)
		seen := x.await(benchLetter, x.await(alternateScreen, 0).end)
		if i > 0 { // the first makes the database
			times = append(times, milliseconds(seen.at.Sub(x.begun)))
			memory = append(memory, memoryOf(x.cmd.Process.Pid, "VmRSS"))
		}
		x.leave()
	}
	measured(b, floorStart, "", times...)
	measured(b, floorIdleMemory, "", memory...)
}

// BenchmarkFloorPrint is BenchmarkAimPrint for it: two processes.
func BenchmarkFloorPrint(b *testing.B) {
	path, database := floor(b), filepath.Join(b.TempDir(), "floor.db")
	var cmd *exec.Cmd
	var times, peaks []float64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		peaks = append(peaks, memoryOf(cmd.Process.Pid, "VmHWM"))
		_, _ = w.Write([]byte("yes\n")) // the program says when it did not come
	}))
	defer server.Close()
	for range 4*benchRuns + 1 {
		cmd = exec.Command(path, "2", database, server.URL)
		begun := time.Now()
		out, err := cmd.Output()
		times = append(times, milliseconds(time.Since(begun)))
		require.NoError(b, err)
		require.Equal(b, "yes\n", string(out))
	}
	measured(b, floorPrint, "", times[1:]...) // the first made the database
	measured(b, floorPrintMemory, "", peaks[1:]...)
}

// floor builds the program, as Pawl is built.
func floor(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "floor")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./internal/bench/testdata/floor") // harness.Main works in the root of the repository
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(b, err, string(out))
	return path
}
