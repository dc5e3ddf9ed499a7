// Package counttest is for tests of counts that are the same on every machine: what is
// allocated, written, sent and asked for. Such a test is named TestCostOf… and stands in a
// counts_test.go beside the code of its room, with its bounds as constants at the top, each
// a quarter above the figure beside it. "make counts" prints what is counted today.
//
// The race detector allocates a little of its own, and lets a sync.Pool forget at random:
// a figure is the larger of those with it and without.
package counttest

import (
	"runtime"
	"testing"
)

// AtMost fails a test that counted more than its bound. Either way it logs the count.
func AtMost(t testing.TB, what string, bound, counted float64) {
	t.Helper()
	t.Logf("%s: %.4g (at most %.4g)", what, counted, bound)
	if counted > bound {
		t.Errorf("%s: %.4g, which is more than %.4g: see what has become dearer, or move the bound and say why", what, counted, bound)
	}
}

// Allocations holds what one call of fn allocates, on whatever goroutine, to a bound. It
// is the mean of 20 calls, of which each does this many things of the same kind. No test
// may run beside it.
func Allocations(t testing.TB, what string, bound float64, things int, fn func()) {
	t.Helper()
	AtMost(t, "allocations "+what, bound, testing.AllocsPerRun(20, fn)/float64(things))
}

// Bytes is what a call of fn allocates, on whatever goroutine. No test may run beside it.
func Bytes(fn func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}
