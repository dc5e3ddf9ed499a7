package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// longHistory is a session of 200,000 tokens, four bytes each, in 400 answers.
func longHistory(b *testing.B) (home string) {
	home = b.TempDir()
	fill(b, home, 400, strings.Join(tokens(500), ""))
	return home
}

// The same answer of 20,000 tokens, behind nothing and behind 200,000 tokens: what a
// token costs does not depend on what stands before it.
func BenchmarkStream20000Tokens(b *testing.B) {
	_, err := binary()
	require.NoError(b, err)
	var alone time.Duration
	b.Run("history=0", func(b *testing.B) {
		for b.Loop() {
			alone = benchStream(b, b.TempDir())
		}
	})
	b.Run("history=200000", func(b *testing.B) {
		home := longHistory(b)
		for b.Loop() {
			cpu := benchStream(b, home, "--continue")
			if alone > 0 {
				b.ReportMetric(cpu.Seconds()/alone.Seconds(), "cpu-ratio(goal-1.2)")
			}
		}
	})
}

// benchStream prints what one answer cost, and gives its processor time: of the answer
// alone, without the start.
func benchStream(b *testing.B, home string, args ...string) time.Duration {
	end := fmt.Sprint("THE LAST LINE AT ", time.Now().UnixNano())
	x := bench(b, benchModel{pieces: append(tokens(20000), "\n\n"+end)}, home, args...)
	x.see(ready)
	<-time.After(time.Second) // an old session is whole by then
	before, idle := len(x.raw()), processorTime(x.pawl())
	begun := time.Now()
	x.type_("go", keyEnter)
	x.see(end)
	took, written, spent := time.Since(begun), len(x.raw())-before, processorTime(x.pawl())-idle
	x.rest()
	_, peak := x.leave()
	b.ReportMetric(took.Seconds(), "s/last-line")
	b.ReportMetric(spent.Seconds(), "cpu-s")
	b.ReportMetric(peak, "MB/peak")
	b.ReportMetric(float64(written)/1000, "KB-to-terminal")
	return spent
}

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
