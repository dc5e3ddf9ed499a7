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
	"pawl/internal/harness"
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

// filesChanged are the files that one command changes before they are shown, and taken back.
const filesChanged = 500

// BenchmarkAimChanges opens what a session has changed, with the first difference, and takes all of it
// back.
func BenchmarkAimChanges(b *testing.B) {
	p := modeltest.Protocols()[0]
	change := fmt.Sprintf("for i in $(seq %d); do mkdir -p d$((i / 50)); echo $i > d$((i / 50))/f$i.txt; done", filesChanged)
	changes := modeltest.Spell(p, modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": change})))
	done := modeltest.Spell(p, modeltest.Say("жdoneж"))
	var opens, rewinds []float64
	for range benchRuns {
		server := serveBench(b, p, func(a benchAsked) benchAnswer {
			if a.turn == 0 {
				return benchAnswer{Spelt: changes}
			}
			return benchAnswer{Spelt: done}
		})
		home, folder := b.TempDir(), checkoutOf(b, 0)
		environ := server.environ(home)
		runFor(b, environ, folder, "-p", "--permission-mode", "bypass", "--trust", "--model", p.Model, "go")
		x := openTube(b, folder, environ, "-c", "--trust", "--model", p.Model)
		x.await("жdoneж", x.await(alternateScreen, 0).end)
		x.settle(300 * time.Millisecond)
		x.press("/changes")
		x.settle(100 * time.Millisecond)
		from := x.written()
		begun := x.press(harness.KeyEnter)
		shown := x.await("f1.txt", from) // the first of the files
		opens = append(opens, milliseconds(shown.at.Sub(begun)))
		x.press(harness.KeyEsc)
		x.settle(300 * time.Millisecond)
		x.press("/rewind" + harness.KeyEnter)
		x.settle(300 * time.Millisecond)
		x.press(harness.KeyEnter) // the only prompt
		x.settle(300 * time.Millisecond)
		from = x.written()
		begun = x.press(harness.KeyEnter)
		rewinds = append(rewinds, x.await("taken back:", from).at.Sub(begun).Seconds())
		require.NoFileExists(b, filepath.Join(folder, "d0", "f1.txt"))
		x.leave()
	}
	measured(b, aimChanges, "", opens...)
	measured(b, aimRewind, "", rewinds...)
}
