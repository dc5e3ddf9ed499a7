package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// millionRecords is how long the longest session of the table is: 2,200 subagents, a
// parent with 58,000 messages, 1.1 GB on disk.
const millionRecords = 1_000_000

// BenchmarkAimMillion opens a session of a million records, and exports it.
func BenchmarkAimMillion(b *testing.B) {
	home := b.TempDir()
	root := writeRecords(b, home, millionRecords)
	server := serveBench(b, modeltest.Protocols()[0], nil)
	var screens, times, peaks []float64
	for range benchRuns {
		x := server.open(b, home, "--session", root)
		screens = append(screens, milliseconds(x.await("stale", x.await(alternateScreen, 0).end).at.Sub(x.begun)))
		x.leave()
	}
	file := filepath.Join(home, "million.json")
	for range benchRuns {
		peak, took := exportPeak(b, home, "export", root, "--format", "json", "--force", "-o", file)
		times, peaks = append(times, took.Seconds()), append(peaks, peak)
	}
	measured(b, aimOpen, "", screens...)
	measured(b, aimExport, "", times...)
	measured(b, aimExportMemory, "", peaks...)
}

// BenchmarkExportMillion writes the same session in every format.
func BenchmarkExportMillion(b *testing.B) {
	home := b.TempDir()
	begun := time.Now()
	root := writeRecords(b, home, millionRecords)
	b.Logf("filled in %s", time.Since(begun).Round(time.Second/10))
	for _, format := range []string{"md", "html", "json", "trace"} {
		b.Run(format, func(b *testing.B) {
			file := filepath.Join(home, "exported."+format)
			var took time.Duration
			for b.Loop() {
				peak, spent := exportPeak(b, home, "export", root, "--format", format, "--force", "-o", file)
				b.ReportMetric(peak, "MiB-peak(goal-64)")
				took += spent
			}
			b.ReportMetric(millionRecords*float64(b.N)/took.Seconds(), "records/s")
			b.ReportMetric(took.Seconds()/float64(b.N), "s(goal-60)")
			info, err := os.Stat(file)
			require.NoError(b, err)
			b.ReportMetric(float64(info.Size())/(1<<20), "MiB-written")
			require.NoError(b, os.Remove(file))
		})
	}
}

// exportPeak runs Pawl to its end and gives the most memory that it had, in MiB, looked
// at every few milliseconds because it is gone with the process, and the time it took.
func exportPeak(b *testing.B, home string, words ...string) (peak float64, took time.Duration) {
	b.Helper()
	path, err := harness.Installed()
	require.NoError(b, err)
	var said strings.Builder
	cmd := exec.Command(path, words...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = home, &said, &said
	cmd.Env = []string{"HOME=" + home, "PAWL_HOME=" + home}
	begun := time.Now()
	require.NoError(b, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			require.NoError(b, err, said.String())
			return peak, time.Since(begun)
		case <-look.C:
			peak = max(peak, memoryOf(cmd.Process.Pid, "VmHWM"))
		}
	}
}
