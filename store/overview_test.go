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
	release, err := s.Lock(j.root) // one of its subagents is at work
	require.NoError(t, err)
	defer release()
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

func TestAnOverviewTellsWhatADeadProcessLeftFromWhatIsAtWork(t *testing.T) {
	s := open(t, file(t))
	atWork := newJournal(t, "at-work").parent().into(s)
	release, err := s.Lock(atWork.root)
	require.NoError(t, err)
	defer release()
	newJournal(t, "died").parent().into(s)
	told := func(j *journal) *journal {
		return j.mark(j.root, j.id("p1"), lc.Ended{State: lc.StateCompleted, Result: "done"})
	}
	told(newJournal(t, "died-below").parent().child("b")).into(s)
	told(newJournal(t, "elsewhere").parent().child("a")).into(s) // on another machine, which goes on
	told(newJournal(t, "ended").parent()).into(s)
	all, err := s.Overviews(t.Context(), "", 0)
	require.NoError(t, err)
	type standing struct {
		state  lc.State
		unseen bool
	}
	got := map[lc.SessionID]standing{}
	for _, o := range all {
		got[o.ID] = standing{o.State, o.Unseen}
	}
	require.Equal(t, map[lc.SessionID]standing{
		"at-work": {lc.StateRunning, false}, "ended": {lc.StateCompleted, false}, "elsewhere": {lc.StateCompleted, false},
		"died": {lc.StateInterrupted, true}, "died-below": {lc.StateInterrupted, true},
	}, got)
	unended, err := s.Unended(t.Context())
	require.NoError(t, err)
	var roots []lc.SessionID
	for _, u := range unended {
		roots = append(roots, u.Root)
	}
	require.ElementsMatch(t, []lc.SessionID{"at-work", "died", "died-below"}, roots)
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
