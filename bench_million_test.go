package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export"
)

// BenchmarkExportMillion is a session of a million records, written by pawl export:
// 2,000 subagents, a parent with 50,000 messages. It is filled once for all formats.
func BenchmarkExportMillion(b *testing.B) {
	path, err := binary()
	require.NoError(b, err)
	const records = 1_000_000
	home := b.TempDir()
	begun := time.Now()
	root := writeChronicle(b, home, records)
	b.Logf("filled in %s", time.Since(begun).Round(time.Second/10))
	for _, format := range export.Formats() {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				file := filepath.Join(b.TempDir(), "export")
				begun := time.Now()
				peak := peakOf(b, home, path, "export", string(root), "--format", string(format), "-o", file)
				took := time.Since(begun)
				info, err := os.Stat(file)
				require.NoError(b, err)
				b.ReportMetric(peak, "MB-peak(goal-64)")
				b.ReportMetric(records/took.Seconds(), "records/s")
				b.ReportMetric(took.Seconds(), "s(goal-60)")
				b.ReportMetric(float64(info.Size())/(1<<20), "MB-written")
				require.NoError(b, os.Remove(file))
			}
		})
	}
}

// peakOf runs Pawl to its end and gives the most memory that it had, in MB: looked at
// every few milliseconds, because it is gone with the process.
func peakOf(b *testing.B, home string, command ...string) (peak float64) {
	b.Helper()
	var said strings.Builder
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = home, &said, &said
	cmd.Env = []string{"HOME=" + home, "PAWL_HOME=" + home}
	require.NoError(b, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for look := time.NewTicker(20 * time.Millisecond); ; {
		select {
		case err := <-ended:
			require.NoError(b, err, said.String())
			return peak
		case <-look.C:
			peak = max(peak, peakMemory(benchWorker(cmd.Process.Pid)))
		}
	}
}

// benchWorker is the process that does the work: the guard's child, or, before there is one,
// the guard itself.
func benchWorker(pid int) int {
	list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid)) // not Linux, or gone: none
	var child int
	if _, err := fmt.Sscan(string(list), &child); err != nil {
		return pid
	}
	return child
}
