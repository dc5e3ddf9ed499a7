package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
	"pawl/ui/terminal"
)

func TestTheDashboardOpensTheSessionOfItsRow(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.keys("ctrl+t")
	require.Nil(t, s.dashboard)
	require.Contains(t, s.text(), "nothing has run yet")
	s.ask("go")
	s.delegate("audit", true)
	s.typed("kept")
	s.keys("ctrl+t", "down", "down", "up", "pgdown")
	require.Contains(t, s.text(), "› audit")
	s.pass(3 * time.Second)
	require.Equal(t, 3, strings.Count(s.text(), "3s\n"), "it is live, in the table and in full")
	s.keys("enter")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
	s.keys("ctrl+t", "esc")
	require.Nil(t, s.dashboard)
	require.Empty(t, s.route.taken(), "nothing was stopped")
	s.keys("left")
	require.Equal(t, "kept", s.line().Text)
}

func BenchmarkTimelineOf50LanesWith400Marks(b *testing.B) {
	s := newScreen(b, 160, 64, func(_ *Options, term *terminal.Features) { term.Colour = true })
	s.ask("go")
	for i := range 50 {
		name := fmt.Sprint("agent ", i)
		s.delegate(name, true)
		session, run := lifecycle.SessionID(name), lifecycle.RunID("run "+name)
		for step := range lanes.ManyMarks / 2 {
			call := lifecycle.CallID(fmt.Sprint(step))
			s.now = s.now.Add(10 * time.Millisecond)
			s.log(session, run, lifecycle.UsageReported{}, lifecycle.ToolStarted{Call: call, Tool: "read", Label: strings.Repeat("a", 40)})
			s.now = s.now.Add(10 * time.Millisecond)
			s.log(session, run, lifecycle.ToolEnded{Call: call, Tool: "read", Status: lifecycle.ToolOK}, lifecycle.StepStarted{Step: step + 2})
		}
	}
	s.keys("ctrl+t", "down", "left", "left")
	require.Contains(b, s.text(), "of 51")
	b.ReportAllocs()
	for b.Loop() {
		s.Update(terminal.Tick(s.now))
		s.View()
	}
}
