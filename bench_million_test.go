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

// BenchmarkExportMillion is a session of a million records in the real program's
// hands: 2,200 subagents, a parent with 58,000 messages, 1.1 GB on disk. It is filled
// once, in some 40 s; then each row is one command on it.
func BenchmarkExportMillion(b *testing.B) {
	_, err := binary()
	require.NoError(b, err)
	const records = 1_000_000
	home := b.TempDir()
	begun := time.Now()
	root := writeChronicle(b, home, records)
	b.Logf("filled in %s", time.Since(begun).Round(time.Second/10))
	type row struct {
		name, file string // what it writes; empty: nothing
		words      []string
	}
	var rows []row
	for _, format := range export.Formats() {
		file := filepath.Join(home, export.Name(root, format))
		rows = append(rows, row{string(format), file, []string{"export", string(root), "--format", string(format), "--force", "-o", file}})
	}
	for _, one := range rows {
		b.Run(one.name, func(b *testing.B) {
			var took time.Duration
			for b.Loop() {
				peak, spent := exportPeak(b, home, one.words...)
				b.ReportMetric(peak, "MB-peak(goal-64)")
				took += spent
			}
			b.ReportMetric(records*float64(b.N)/took.Seconds(), "records/s")
			b.ReportMetric(took.Seconds()/float64(b.N), "s(goal-60)")
			if info, err := os.Stat(one.file); err == nil {
				b.ReportMetric(float64(info.Size())/(1<<20), "MB-written")
			}
		})
	}
}

// exportPeak runs Pawl to its end and gives the most memory that it had, in MB, looked
// at every few milliseconds because it is gone with the process, and the time it took.
func exportPeak(b *testing.B, home string, words ...string) (peak float64, took time.Duration) {
	b.Helper()
	path, err := binary()
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
			peak = max(peak, peakMemory(exportWorker(cmd.Process.Pid)))
		}
	}
}

// exportWorker is the process that does the work: the guard's child or, where a
// command has no guard, the process itself.
func exportWorker(pid int) int {
	list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid)) // not Linux, or gone: none
	var child int
	if _, err := fmt.Sscan(string(list), &child); err != nil {
		return pid
	}
	return child
}
