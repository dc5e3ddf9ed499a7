package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func ranFor(from, took time.Duration) span {
	return span{from: epoch.Add(from), to: epoch.Add(from + took)}
}

func TestAxisIsToScaleAndLeavesOutWhatNothingRanIn(t *testing.T) {
	a := newAxis([]span{ranFor(0, 10*time.Second), ranFor(5*time.Second, 10*time.Second), ranFor(9*time.Hour, 5*time.Second)}, 41)
	require.Equal(t, 20*time.Second, a.busy)
	require.Equal(t, 0, a.column(epoch.Add(-time.Hour)))
	require.Equal(t, 10, a.column(epoch.Add(5*time.Second)))
	require.Equal(t, 29, a.column(epoch.Add(time.Hour)), "a moment in a gap stands before it")
	require.Equal(t, 31, a.column(epoch.Add(9*time.Hour)))
	require.Equal(t, 40, a.column(epoch.Add(10*time.Hour)))
}

func TestAxisOfManyShortRunsHasNoGaps(t *testing.T) {
	var runs []span
	for i := range 1000 {
		runs = append(runs, ranFor(time.Duration(i)*time.Minute, time.Second))
	}
	a := newAxis(slices.Clone(runs), 50)
	last := 0
	for _, run := range runs {
		at := a.column(run.from)
		require.GreaterOrEqual(t, at, last)
		last = at
	}
	require.Equal(t, 49, last)
}

func TestAxisOfNoTimeAtAll(t *testing.T) {
	require.Zero(t, newAxis([]span{ranFor(0, 0)}, 1).column(epoch))
	require.Zero(t, newAxis(nil, 0).column(epoch))
}

func TestTimelineOpensTheSessionOfItsLane(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.keys("ctrl+t")
	require.Nil(t, s.timeline)
	require.Contains(t, s.text(), "nothing has run yet")
	s.ask("go")
	s.delegate("audit", true)
	s.typed("kept")
	s.keys("ctrl+t", "down", "down", "up", "pgdown")
	require.Contains(t, s.text(), "› audit")
	s.pass(3 * time.Second)
	require.Equal(t, 2, strings.Count(s.text(), "3s\n"), "it is live")
	s.keys("enter")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
	s.keys("ctrl+t", "esc")
	require.Nil(t, s.timeline)
	require.Empty(t, s.route.taken(), "nothing was stopped")
	s.keys("left")
	require.Equal(t, "kept", s.line().Text)
}
