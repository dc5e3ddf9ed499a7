package main

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain ends with a look at what is left: a test that leaves a goroutine behind
// has left a connection, a terminal or a process.
func TestMain(m *testing.M) {
	counting := goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start") // a library's, from its start to the end of the process
	goleak.VerifyTestMain(m, counting, goleak.Cleanup(func(code int) {
		sweepBinary()
		os.Exit(code)
	}))
}
