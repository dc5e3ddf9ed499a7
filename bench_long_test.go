package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Memory with 200,000 tokens on the screen's side of things: the session is opened, and
// scrolled through from its end to its beginning and back.
func BenchmarkMemoryOfALongSession(b *testing.B) {
	_, err := binary()
	require.NoError(b, err)
	home := longHistory(b)
	for b.Loop() {
		x := bench(b, benchModel{}, home, "--continue")
		x.see(ready)
		opened := peakMemory(x.pawl())
		for !strings.Contains(x.screen(), "question 0\n") {
			x.type_(keyPgUp)
			<-time.After(5 * time.Millisecond) // a key held down; where older records are on their way it moves nothing
		}
		for range 50 {
			x.type_(keyPgDown)
		}
		_, peak := x.leave()
		b.ReportMetric(opened, "MB/opened")
		b.ReportMetric(peak, "MB/peak(goal-120)")
	}
}
