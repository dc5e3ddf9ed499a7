package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/modeltest"
)

// commandsRun is how many commands are timed in one folder: the first waits for the first look at it.
const commandsRun = 11

// BenchmarkAimCommand runs a command that changes one file, in an empty checkout and in large ones:
// what it takes longer there is what looking for its changes costs.
func BenchmarkAimCommand(b *testing.B) {
	alone := commandTimes(b, 0)
	for files, row := range map[int]string{20_000: aimCommand, 200_000: aimCommandLarge} {
		var more []float64
		for _, took := range commandTimes(b, files) {
			more = append(more, max(0, took-percentile(alone, 0.5)))
		}
		measured(b, row, "", more...)
	}
}

// commandTimes are the milliseconds from a model's answer that asks for a command to the request with
// its result.
func commandTimes(b *testing.B, files int) (times []float64) {
	b.Helper()
	p := modeltest.Protocols()[0]
	runs := modeltest.Spell(p, modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "date +%N > d000/f000.txt"})))
	done := modeltest.Spell(p, modeltest.Say("Done."))
	server := serveBench(b, p, func(a benchAsked) benchAnswer {
		if a.turn > commandsRun {
			return benchAnswer{Spelt: done}
		}
		return benchAnswer{Spelt: runs, every: time.Millisecond}
	})
	runFor(b, server.environ(b.TempDir()), checkoutOf(b, files), "-p", "--permission-mode", "bypass", "--trust", "--model", p.Model, "go")
	for turn := 1; turn <= commandsRun; turn++ {
		asked, next := server.await(b, true, turn), server.await(b, true, turn+1)
		times = append(times, milliseconds(next.at.Sub(<-asked.said)))
	}
	return times
}

// checkoutOf is a checkout with so many committed files, a hundred a folder.
func checkoutOf(b *testing.B, files int) string {
	b.Helper()
	folder := gittest.Checkout(b)
	require.NoError(b, os.MkdirAll(filepath.Join(folder, "d000"), 0o700))
	for i := range files {
		dir := filepath.Join(folder, fmt.Sprintf("d%03d", i/100))
		if i%100 == 0 {
			require.NoError(b, os.MkdirAll(dir, 0o700))
		}
		name := filepath.Join(dir, fmt.Sprintf("f%03d.txt", i%100))
		require.NoError(b, os.WriteFile(name, []byte(strings.Repeat(fmt.Sprintf("line of %d\n", i), 20)), 0o600))
	}
	gittest.Run(b, folder, "add", "-A")
	gittest.Run(b, folder, "commit", "-q", "--allow-empty", "-m", "files")
	return folder
}
