//go:build linux

package orders

import (
	"flag"
	"fmt"
	"sync/atomic"
	"testing"

	"pawl/internal/harness"
	"pawl/internal/machinelab"
	"pawl/internal/soaktest"
)

var manyFlag = flag.Int("subagents", 0, "send that `many` subagents; the default is what the test says")

// manyInALab is how many subagents a session sends over three machines, and manyHere, on loopback.
const (
	manyInALab = 100
	manyHere   = 12
)

// many is how many subagents are sent.
func many(usually int) int {
	if *manyFlag > 0 {
		return *manyFlag
	}
	return usually
}

// TestInAnyOrderOnThreeMachinesNothingIsLostDoubledOrLeft is the whole play, in namespaces of the
// network: 100 subagents over three machines, of which one is cut off, one is switched off, and the
// server is restarted. It takes minutes, so that make soak plays it.
func TestInAnyOrderOnThreeMachinesNothingIsLostDoubledOrLeft(t *testing.T) {
	seeds := soaktest.Seeds(t, 0, 200)
	if len(seeds) == 0 {
		t.Skip("a minute an order: PAWL_SOAK plays it")
	}
	if missing := machinelab.Missing(); missing != "" {
		t.Skip("no lab of machines: " + missing)
	}
	more := []act{cutOff(false), cutOff(true), switchOff, killDaemon, restart, cutHome, killHost}
	runs := eachOf(t, seeds, func(t *testing.T, seed uint64) *play {
		p := newPlay(t, inALab(t, harness.Installed), seed, many(manyInALab))
		p.whole(more, p.random.IntN(4))
		return p
	})
	soaktest.Tried(t, len(seeds), "orders of cuts, ends and restarts on three machines")
	soaktest.Tried(t, runs, "subagents on other machines in them")
}

// TestInAnyOrderOnLoopbackNothingIsLostDoubledOrLeft is the smaller one, without root: processes
// that are killed, and a proxy before each that can be cut.
func TestInAnyOrderOnLoopbackNothingIsLostDoubledOrLeft(t *testing.T) {
	more := []act{cutOff(false), killDaemon, restart, cutHome}
	runs := eachOf(t, soaktest.Seeds(t, 1, 200), func(t *testing.T, seed uint64) *play {
		p := newPlay(t, onLoopback(t, harness.Binary, 2), seed, many(manyHere))
		p.slots = 4
		p.whole(more, 1)
		return p
	})
	soaktest.Tried(t, runs, "subagents on workers of one machine, in random orders of cuts and ends")
}

// eachOf plays orders, as many at once as -parallel says, for they mostly wait: it returns how many
// subagents they had in all.
func eachOf(t *testing.T, seeds []uint64, order func(*testing.T, uint64) *play) int {
	t.Helper()
	var runs atomic.Int64
	t.Run("orders", func(t *testing.T) {
		for _, seed := range seeds {
			t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
				t.Parallel()
				runs.Add(int64(order(t, seed).many))
			})
		}
	})
	return int(runs.Load())
}

// whole plays an order from its beginning to its end.
func (p *play) whole(more []act, count int) {
	p.open()
	p.begin()
	p.perform(p.order(more, count))
	p.end()
}
