package timeline

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle/lanes"
)

var beginning = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func ranFor(from, took time.Duration) lanes.Stretch {
	return lanes.Stretch{From: beginning.Add(from), To: beginning.Add(from + took)}
}

func TestAxisIsToScaleAndLeavesOutWhatNothingRanIn(t *testing.T) {
	a := newAxis([]lanes.Stretch{ranFor(0, 10*time.Second), ranFor(5*time.Second, 10*time.Second), ranFor(9*time.Hour, 5*time.Second)}, 41)
	require.Equal(t, 20*time.Second, a.Busy)
	require.Equal(t, 0, a.Column(beginning.Add(-time.Hour)))
	require.Equal(t, 10, a.Column(beginning.Add(5*time.Second)))
	require.Equal(t, 29, a.Column(beginning.Add(time.Hour)), "a moment in a gap stands before it")
	require.Equal(t, 31, a.Column(beginning.Add(9*time.Hour)))
	require.Equal(t, 40, a.Column(beginning.Add(10*time.Hour)))
}

func TestAxisOfManyShortRunsHasNoGaps(t *testing.T) {
	var runs []lanes.Stretch
	for i := range 1000 {
		runs = append(runs, ranFor(time.Duration(i)*time.Minute, time.Second))
	}
	a := newAxis(slices.Clone(runs), 50)
	last := 0
	for _, run := range runs {
		at := a.Column(run.From)
		require.GreaterOrEqual(t, at, last)
		last = at
	}
	require.Equal(t, 49, last)
}

func TestAxisOfNoTimeAtAll(t *testing.T) {
	require.Zero(t, newAxis([]lanes.Stretch{ranFor(0, 0)}, 1).Column(beginning))
	require.Zero(t, newAxis(nil, 0).Column(beginning))
}
