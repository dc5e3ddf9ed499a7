package main

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain ends with a look at what is left: a test that leaves a goroutine behind
// has left a connection, a terminal or a process.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		sweepBinary()
		os.Exit(code)
	}))
}
