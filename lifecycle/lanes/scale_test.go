package lanes

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func ran(from, to time.Duration) Stretch { return Stretch{noon.Add(from), noon.Add(to)} }

func TestAScaleJoinsWhatShortPausesPart(t *testing.T) {
	all := []Stretch{ran(9*time.Hour, 9*time.Hour+time.Minute), ran(0, time.Minute), ran(30*time.Second, 40*time.Second), ran(70*time.Second, 2*time.Minute)}
	require.Equal(t, Scale{ran(0, time.Minute), ran(70*time.Second, 2*time.Minute), ran(9*time.Hour, 9*time.Hour+time.Minute)}, NewScale(all, 0))
	s := NewScale(all, 10*time.Second)
	require.Equal(t, Scale{ran(0, 2*time.Minute), ran(9*time.Hour, 9*time.Hour+time.Minute)}, s)
	require.Equal(t, 3*time.Minute, s.Busy())
	require.Equal(t, -1, s.Find(noon.Add(-1)))
	require.Equal(t, 0, s.Find(noon.Add(time.Hour)), "a moment in a pause is behind the stretch before it")
	require.Equal(t, 1, s.Find(noon.Add(9*time.Hour)))
	require.InDelta(t, 25, s[0].Part(noon.Add(30*time.Second), 100), 1e-9)
	require.InDelta(t, 100, s[0].Part(noon.Add(time.Hour), 100), 1e-9)
	require.Zero(t, ran(0, 0).Part(noon, 100))
}

func TestTicksStandAtRoundTimes(t *testing.T) {
	for _, row := range []struct {
		scale Scale
		about int
		want  []time.Duration
	}{
		{nil, 8, nil},
		{Scale{ran(0, 0)}, 8, []time.Duration{0}},
		{Scale{ran(0, 54*time.Second)}, 5, []time.Duration{0, 15 * time.Second, 30 * time.Second, 45 * time.Second}},
		{Scale{ran(0, time.Minute), ran(9*time.Hour, 9*time.Hour+time.Minute)}, 4, []time.Duration{0, 30 * time.Second, time.Minute, 9 * time.Hour, 9*time.Hour + 30*time.Second, 9*time.Hour + time.Minute}},
		{Scale{ran(0, 100*24*time.Hour)}, 4, []time.Duration{0, 32 * 24 * time.Hour, 64 * 24 * time.Hour, 96 * 24 * time.Hour}},
	} {
		var got []time.Duration
		for i, after := range row.scale.Ticks(noon, row.about) {
			require.False(t, noon.Add(after).Before(row.scale[i].From) || noon.Add(after).After(row.scale[i].To))
			got = append(got, after)
		}
		require.Equal(t, row.want, got)
	}
}
