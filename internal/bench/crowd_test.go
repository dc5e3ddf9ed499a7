package bench

import (
	"testing"
	"time"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// How many subagents work at once where there are many, and how many where each is told much.
const (
	hundred   = 100
	crowd     = 50
	crowdPace = 5 * time.Millisecond
)

// BenchmarkAimHundred has one answer send 100 subagents to the background, and takes what each of
// them costs in memory while it is being answered.
func BenchmarkAimHundred(b *testing.B) {
	p := modeltest.Protocols()[0]
	var memory []float64
	for range benchRuns {
		server := serveBench(b, p, delegating(p, modeltest.Launch, hundred, modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}}), nil, nil))
		x := server.openFor(b, b.TempDir(), hundred)
		x.askFor(lastLine)
		before := memoryOf(x.cmd.Process.Pid, "RssAnon")
		x.press("go" + harness.KeyEnter)
		server.await(b, false, hundred-1)
		x.settle(time.Second)
		memory = append(memory, (memoryOf(x.cmd.Process.Pid, "RssAnon")-before)/hundred)
		x.leave()
	}
	measured(b, aimHundred, "", memory...)
}

// BenchmarkAimCrowdKey types while 50 subagents are told 200 tokens a second each.
func BenchmarkAimCrowdKey(b *testing.B) {
	p := modeltest.Protocols()[0]
	pace := crowdPace
	answer := modeltest.Spell(p, modeltest.Reply{Text: tokens(3000)})
	var usual, late []float64
	for range benchRuns {
		server := serveBench(b, p, delegating(p, modeltest.Launch, crowd, answer, nil, &pace))
		x := server.begin(b, b.TempDir(), crowd)
		waits := x.typeFast("")
		usual, late = append(usual, percentile(waits, 0.5)), append(late, percentile(waits, 0.99))
		x.leave()
	}
	measured(b, aimCrowdKey, "p50", usual...)
	measured(b, aimCrowdKey, "p99", late...)
}
