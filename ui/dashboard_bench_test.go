package ui

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// twoHundredRuns is a dashboard over 200 runs, of which five write.
func twoHundredRuns(tb testing.TB, width, height int) *screen {
	s := newScreen(tb, width, height, func(_ *Options, term *terminal.Features) { term.Colour = true })
	s.ask("go")
	for i := range 200 {
		name := fmt.Sprint("agent ", i)
		session, run := lifecycle.SessionID(name), lifecycle.RunID("run "+name)
		s.delegate(name, true)
		s.now = s.now.Add(time.Second)
		s.log(session, run, lifecycle.Text{Text: "It is **done**, in all files."}, lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 1000, OutputTokens: int64(i), Cost: 0.01}})
		if i < 195 {
			s.end(session, run, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "It is done."})
		}
	}
	s.keys("ctrl+t")
	require.Contains(tb, s.text(), "of 201")
	return s
}

// BenchmarkScrolling200Runs is a key and the picture after it.
func BenchmarkScrolling200Runs(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			s := twoHundredRuns(b, size[0], size[1])
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				way := "down"
				if i/200%2 == 1 {
					way = "up"
				}
				s.Update(key(way))
				s.View()
			}
		})
	}
}

// BenchmarkDashboardWhileFiveWrite is what a frame costs while five of 200 runs write.
func BenchmarkDashboardWhileFiveWrite(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			s := twoHundredRuns(b, size[0], size[1])
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				var u lifecycle.Updates
				for n := 195; n < 200; n++ {
					name := fmt.Sprint("agent ", n)
					u.Progress = append(u.Progress, lifecycle.Progress{Session: lifecycle.SessionID(name), Run: lifecycle.RunID("run " + name), Step: 1, Text: fmt.Sprintf("It is done, in all %d files.", i), OutputTokens: int64(i)})
				}
				s.Update(u)
				s.View()
			}
		})
	}
}
