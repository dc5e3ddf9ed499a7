package ui

import (
	"fmt"
	"testing"
	"time"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// BenchmarkDock is a beat of the clock with five subagents at work beside many that have ended.
func BenchmarkDock(b *testing.B) {
	for _, ended := range []int{0, 200} {
		b.Run(fmt.Sprint(ended, " ended"), func(b *testing.B) {
			s := crowded(b, 0)
			for i := range ended {
				name := fmt.Sprint("ended ", i)
				s.delegate(name, true)
				s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
			}
			s.pass(2 * keep)
			b.ReportAllocs()
			for b.Loop() {
				s.now = s.now.Add(125 * time.Millisecond)
				s.Update(terminal.Tick(s.now))
				s.View()
			}
		})
	}
}
