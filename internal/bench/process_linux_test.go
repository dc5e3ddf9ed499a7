package bench

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// BenchmarkIsolatedRun is what a process of its own adds to one subagent with a one-word
// answer: the time of the whole call of pawl, and the memory of Pawl and of the process
// while it works.
func BenchmarkIsolatedRun(b *testing.B) {
	path, err := harness.Installed()
	require.NoError(b, err)
	p := modeltest.Protocols()[0]
	for _, isolation := range []string{"none", "process"} {
		b.Run(fmt.Sprint("isolation=", isolation), func(b *testing.B) {
			s := &harness.Stage{Home: b.TempDir()}
			start := modeltest.Delegate("one word", "say it")
			if isolation == "process" {
				start = modeltest.Isolated("one word", "say it", false)
			}
			asks, word := modeltest.Spell(p, modeltest.Reply{Calls: []modeltest.Call{start}}), modeltest.Spell(p, modeltest.Reply{Text: []string{"yes"}})
			var own, pawls float64
			server := serveBench(b, p, func(a benchAsked) benchAnswer {
				if a.parent && a.turn%2 == 0 {
					return benchAnswer{Spelt: asks}
				}
				for _, pid := range s.Processes(func(command string) bool { return strings.HasPrefix(command, path) }) {
					pawls = max(pawls, memoryOfOne(pid, "VmHWM"))
				}
				for _, pid := range s.Processes(func(command string) bool { return strings.HasSuffix(command, "exe\x00"+"run-worker\x00") }) {
					own = max(own, memoryOfOne(pid, "VmHWM"))
				}
				return benchAnswer{Spelt: word}
			})
			var walls []float64
			for b.Loop() {
				cmd := exec.Command(path, "-p", "--model", p.Model, "delegate it")
				cmd.Dir, cmd.Env = benchFolder(b), server.environ(s.Home)
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
