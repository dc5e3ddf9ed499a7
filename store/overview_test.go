package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

func TestAnOverviewSaysHowASessionStandsAndWhatItCost(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	newJournal(t, "other").parent().into(s)
	infos, err := s.Sessions(t.Context(), Filter{RootsOnly: true})
	require.NoError(t, err)
	all, err := s.Overviews(t.Context(), "", 0)
	require.NoError(t, err)
	require.Len(t, all, 2)
	for i, o := range all {
		require.Equal(t, infos[i], o.SessionInfo)
	}
	runs, err := s.Runs(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	for _, o := range all {
		if o.ID != j.root {
			continue
		}
		subagents := map[lc.SessionID]bool{}
		for _, run := range runs {
			if run.Session == j.root {
				require.Equal(t, run.State, o.State, "the newest stands last")
			}
			if run.Subagent() {
				subagents[run.Session] = true
			}
		}
		require.Equal(t, len(subagents), o.Subagents)
		require.InDelta(t, 0.25, o.Cost, 1e-9)
	}
	one, err := s.Overviews(t.Context(), "/src", 1)
	require.NoError(t, err)
	require.Len(t, one, 1)
	none, err := s.Overviews(t.Context(), "/elsewhere", 0)
	require.NoError(t, err)
	require.Empty(t, none)
}

// A list of sessions stands at once, however many there are.
func BenchmarkOverviews(b *testing.B) {
	s := open(b, file(b))
	for i := range 2000 {
		j := newJournal(b, lc.SessionID(fmt.Sprintf("s%d", i))).parent()
		j.mark(j.root, j.id("p1"), lc.Text{Text: fmt.Sprintf("%04000d", i)}, lc.UsageReported{Usage: lc.Usage{Cost: 0.1}})
		for n := range 4 {
			j.child(fmt.Sprintf("c%d", n))
		}
		j.into(s)
	}
	for b.Loop() {
		started := time.Now()
		found, err := s.Overviews(b.Context(), "", 500)
		require.NoError(b, err)
		require.Len(b, found, 500)
		b.ReportMetric(float64(time.Since(started).Milliseconds()), "ms")
	}
}
