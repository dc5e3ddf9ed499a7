package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A minute in which nothing happens: the processor time of Pawl, its guard and its
// helpers, and what it writes.
func BenchmarkQuietMinute(b *testing.B) {
	_, err := binary()
	require.NoError(b, err)
	b.Run("new", func(b *testing.B) { benchQuiet(b, b.TempDir()) })
	b.Run("old-session", func(b *testing.B) {
		home := b.TempDir()
		fill(b, home, 100, strings.Join(tokens(500), ""))
		benchQuiet(b, home, "--continue")
	})
}

func benchQuiet(b *testing.B, home string, args ...string) {
	for b.Loop() {
		x := bench(b, benchModel{}, home, args...)
		x.see(ready)
		<-time.After(3 * time.Second) // the start has its own benchmark
		written, before := len(x.raw()), processorTimes(x.cmd.Process.Pid)
		begun := time.Now()
		<-time.After(time.Minute)
		took, spent := time.Since(begun), processorTimes(x.cmd.Process.Pid)-before
		b.ReportMetric(100*spent.Seconds()/took.Seconds(), "%cpu(goal-0.1)")
		b.ReportMetric(float64(len(x.raw())-written), "bytes-to-terminal(goal-0)")
		x.leave()
	}
}

// processorTimes is what a process and all below it have used so far.
func processorTimes(pid int) time.Duration {
	sum := processorTime(pid)
	list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid)) // not Linux, or gone: none
	for child := range strings.FieldsSeq(string(list)) {
		if pid, err := strconv.Atoi(child); err == nil {
			sum += processorTimes(pid)
		}
	}
	return sum
}

// processorTime is what the threads of a process have used so far, to the nanosecond.
func processorTime(pid int) time.Duration {
	folder := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(folder) // not Linux, or gone: none
	var sum time.Duration
	for _, thread := range threads {
		text, err := os.ReadFile(folder + "/" + thread.Name() + "/schedstat")
		if err != nil {
			continue // it has just ended
		}
		var used time.Duration
		fmt.Sscan(string(text), &used)
		sum += used
	}
	return sum
}
