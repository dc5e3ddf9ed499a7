package bench

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/harness"
)

// BenchmarkGuardStart is what the guard adds to a start: the same command line, refused at once, with a
// guard of its own and with this benchmark in the guard's place.
func BenchmarkGuardStart(b *testing.B) {
	path, err := harness.Installed()
	require.NoError(b, err)
	once := func(line *os.File) time.Duration {
		cmd := exec.Command(path, "--output-format", "none")
		cmd.Env = []string{"HOME=" + b.TempDir(), "PAWL_HOME=" + b.TempDir()}
		if line != nil {
			cmd.Env, cmd.ExtraFiles = append(cmd.Env, "PAWL_GUARD=3"), []*os.File{line}
		}
		begun := time.Now()
		_ = cmd.Run() // it is refused
		took := time.Since(begun)
		require.Equal(b, 2, cmd.ProcessState.ExitCode())
		return took
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	require.NoError(b, err)
	line := os.NewFile(uintptr(pair[1]), "line")
	defer line.Close()
	var guarded, alone []time.Duration
	for b.Loop() {
		guarded, alone = append(guarded, once(nil)), append(alone, once(line))
	}
	slices.Sort(guarded)
	slices.Sort(alone)
	half := len(alone) / 2
	b.ReportMetric(milliseconds(alone[half]), "ms/alone")
	b.ReportMetric(milliseconds(guarded[half]-alone[half]), "ms/guard")
}
