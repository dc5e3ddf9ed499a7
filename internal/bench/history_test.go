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

// BenchmarkAimHistory has the same answer said behind nothing and behind 200,000 tokens,
// by turns.
func BenchmarkAimHistory(b *testing.B) {
	p := modeltest.Protocols()[2] // in which the long session was written
	answer := benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: append(tokens(20000), "\n\n"+lastLine)})}
	home := longHistory(b)
	var ratios []float64
	sent := 0 // bytes of the newest request
	for range benchRuns {
		alone := serveBench(b, p, func(benchAsked) benchAnswer { return answer }).open(b, b.TempDir())
		before := alone.askFor(lastLine)
		alone.leave()
		x := serveBench(b, p, func(a benchAsked) benchAnswer {
			sent = len(a.body)
			return answer
		}).open(b, copyHome(b, home), "--continue")
		ratios = append(ratios, x.askFor(lastLine).work.Seconds()/before.work.Seconds())
		x.leave()
	}
	require.Greater(b, sent, 800_000, "the model hears all that came before")
	measured(b, aimHistory, "", ratios...)
}

// longHistory is a session of 200,000 tokens, four bytes each, in 400 answers.
func longHistory(b *testing.B) (home string) {
	home = b.TempDir()
	writeTurns(b, home, 400, strings.Join(tokens(500), ""))
	return home
}

// BenchmarkMemoryOfALongSession is the memory with 200,000 tokens on the screen's side of
// things: the session is opened, and scrolled through from its end to its beginning and
// back.
func BenchmarkMemoryOfALongSession(b *testing.B) {
	path, err := harness.Installed()
	require.NoError(b, err)
	home := longHistory(b)
	server := serveBench(b, modeltest.Protocols()[2], nil)
	for b.Loop() {
		cmd := exec.Command(path, "--model", server.protocol.Model, "--continue")
		cmd.Dir, cmd.Env = benchFolder(b), server.environ(home)
		x := harness.StartCommand(b, 120, 40, cmd)
		x.Ready()
		b.ReportMetric(memoryOf(cmd.Process.Pid, "VmRSS"), "MiB/opened")
		for !strings.Contains(x.Screen(), "question 0\n") {
			x.Type(harness.KeyPgUp)
			<-time.After(5 * time.Millisecond) // a key held down; where older records are on their way it moves nothing
		}
		for range 50 {
			x.Type(harness.KeyPgDown)
		}
		b.ReportMetric(memoryOf(cmd.Process.Pid, "VmHWM"), "MiB/peak(goal-120)")
		x.Quit()
	}
}

// copyHome is a copy of a home, so that each run finds the same.
func copyHome(b *testing.B, home string) string {
	b.Helper()
	to := filepath.Join(b.TempDir(), "home")
	require.NoError(b, os.CopyFS(to, os.DirFS(home)))
	return to
}
