package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// stopped is an idle parent whose subagent a person has just stopped.
func stopped(t *testing.T) (s *screen, end []lifecycle.Record) {
	t.Helper()
	s = idle(t)
	return s, s.records("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey}, lifecycle.NotificationQueued{})
}

func TestWhatTheParentIsAboutToHearIsNotCalledHeldBack(t *testing.T) {
	s, end := stopped(t)
	s.send(lifecycle.Updates{Records: end, Waking: true})
	require.Contains(t, s.text(), "1 result is reported to the main agent in a moment")
	require.NotContains(t, s.text(), "held back")
	s.send(lifecycle.Updates{})
	require.NotContains(t, s.text(), "in a moment")
	require.Contains(t, s.text(), "1 stopped subagent is reported with your next message")
	require.Contains(t, s.text(), "held back until you write")
}

func TestWhoWaitsToQuitWaitsForAParentThatIsAboutToBeWoken(t *testing.T) {
	s, end := stopped(t)
	s.carryOut(s.leave())
	s.send(lifecycle.Updates{Records: end, Waking: true})
	require.False(t, s.quit, "the parent is still to hear of it")
	s.send(lifecycle.Updates{})
	require.True(t, s.quit)
}

func TestQuittingAsksWhileTheParentIsAboutToBeWoken(t *testing.T) {
	for name, keys := range map[string]func(*screen){
		"/quit":  func(s *screen) { s.sent("/quit") },
		"ctrl+c": func(s *screen) { s.keys("ctrl+c", "ctrl+c") },
		"ctrl+d": func(s *screen) { s.keys("ctrl+d") },
	} {
		s, end := stopped(t)
		s.send(lifecycle.Updates{Records: end, Waking: true})
		keys(s)
		require.False(t, s.quit, name)
		require.Contains(t, s.text(), "Quit before the main agent is told what has ended?", name)
		s.keys("w")
		require.False(t, s.quit, name)
		s.send(lifecycle.Updates{})
		require.True(t, s.quit, name)
	}
}

func TestTheSupervisorHearsWhenAPersonLeavesWhomTheyHaveWrittenTo(t *testing.T) {
	s, end := stopped(t)
	s.send(lifecycle.Updates{Records: end})
	s.keys("tab", "left")
	require.Empty(t, s.route.taken(), "who only looked has nothing to say")
	s.keys("tab")
	s.typed("and you?")
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: "audit", Text: "and you?"}}, s.route.taken())
	s.keys("left")
	require.Equal(t, []lifecycle.Command{lifecycle.Leave{Session: "audit"}}, s.route.taken())
	s.keys("tab", "left")
	require.Empty(t, s.route.taken(), "once")
}
