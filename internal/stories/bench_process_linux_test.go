package stories

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// BenchmarkIsolatedRun is what a process of its own adds to one subagent with a one-word
// answer: the time of the whole call of pawl, and the memory of Pawl and of the process
// while it works.
func BenchmarkIsolatedRun(b *testing.B) {
	path, err := installed()
	require.NoError(b, err)
	p := protocols()[0]
	for _, isolation := range []lifecycle.Isolation{lifecycle.IsolationNone, lifecycle.IsolationProcess} {
		b.Run(fmt.Sprint("isolation=", isolation), func(b *testing.B) {
			s := &stage{home: b.TempDir()}
			start := delegate("one word", "say it")
			if isolation == lifecycle.IsolationProcess {
				start = isolated("one word", "say it", false)
			}
			asks, word := spell(p, reply{calls: []call{start}}), spell(p, reply{text: []string{"yes"}})
			var own, pawls float64
			server := serveBench(b, p, func(a benchAsked) benchAnswer {
				if a.parent && a.turn%2 == 0 {
					return benchAnswer{spelt: asks}
				}
				for _, pid := range s.processes(func(command string) bool { return strings.HasPrefix(command, path) }) {
					pawls = max(pawls, memoryOfOne(pid, "VmHWM"))
				}
				for _, pid := range s.processes(func(command string) bool { return strings.HasSuffix(command, "exe\x00"+"worker\x00") }) {
					own = max(own, memoryOfOne(pid, "VmHWM"))
				}
				return benchAnswer{spelt: word}
			})
			var walls []float64
			for b.Loop() {
				cmd := exec.Command(path, "-p", "--model", p.model, "delegate it")
				cmd.Dir, cmd.Env = benchFolder(b), server.environ(s.home)
				begun := time.Now()
				out, err := cmd.Output()
				walls = append(walls, milliseconds(time.Since(begun)))
				require.NoError(b, err)
				require.Equal(b, "yes\n", string(out))
			}
			b.ReportMetric(percentile(walls, 0.5), "ms/p50")
			b.ReportMetric(pawls, "MiB/pawl")
			b.ReportMetric(own, "MiB/own-process")
		})
	}
}
