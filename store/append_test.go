package store

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

func TestAppendWritesAllOrNothing(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	good := newJournal(t, "other").parent().take()
	bad := lc.Change{Records: []lc.Record{{Seq: 1, Time: epoch, Root: j.root, Session: j.root, Run: j.id("p1"), Event: lc.Nudged{}}}}
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{good, bad}), ErrRefused)
	s = reopen(t, s)
	loaded, err := s.Load(t.Context(), "other")
	require.NoError(t, err)
	require.Equal(t, lc.Loaded{}, loaded)
	require.NoError(t, s.Append(t.Context(), []lc.Change{good}), "and the next one goes through")
}

func TestAppendOfNothingTriesWhetherItCouldWrite(t *testing.T) {
	s := open(t, file(t))
	story(t, s)
	require.NoError(t, s.Append(t.Context(), nil))
	records, err := s.Records(t.Context(), "root", 0, 0)
	require.NoError(t, err)
	s = reopen(t, s)
	var pages int
	require.NoError(t, s.write.QueryRowContext(t.Context(), `PRAGMA page_count`).Scan(&pages))
	_, err = s.write.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, pages))
	require.NoError(t, err)
	require.NoError(t, s.SetFact(t.Context(), factTried, ""), "no room but what it gives back")
	require.NoError(t, s.SetFact(t.Context(), "taken", strings.Repeat("x", trySize)))
	require.ErrorIs(t, s.Append(t.Context(), nil), ErrFull)
	_, err = s.write.ExecContext(t.Context(), `PRAGMA max_page_count = 1000000`)
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), []lc.Change{{}}))
	after, err := s.Records(t.Context(), "root", 0, 0)
	require.NoError(t, err)
	require.Equal(t, records, after, "no log has anything of it")
}

func TestAppendTakesManyChangesOfManySessionsAtOnce(t *testing.T) {
	s := open(t, file(t))
	var changes []lc.Change
	var journals []*journal
	for n := range 3 {
		j := newJournal(t, lc.SessionID(fmt.Sprintf("root-%d", n)))
		changes = append(changes, j.parent().take(), j.child("a").take(), j.owed("a").take())
		journals = append(journals, j)
	}
	require.NoError(t, s.Append(t.Context(), changes))
	s = reopen(t, s)
	for _, j := range journals {
		runs, err := s.Runs(t.Context(), j.root, 0, 0)
		require.NoError(t, err)
		require.Equal(t, []lc.Run{j.runs[j.id("p1")], j.runs[j.id("a")]}, runs)
	}
}

func TestAppendRefusesTwoEndsOfARunInOneBatch(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().child("a").into(s)
	first := j.ended("a").take()
	second := j.runs[j.id("a")]
	second.State = lc.StateCanceledByUser
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{first, {Runs: []lc.Run{second}}}), ErrRefused)
}

func TestAppendReportsWhatCannotBeEncoded(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().mark("root", "root/run/p1", lc.StepStarted{Step: 1}, lc.ToolStarted{Call: "c", Tool: "read", Input: []byte(`{"path":`)})
	require.ErrorContains(t, s.Append(t.Context(), []lc.Change{j.take()}), "encode record 4, tool_started")
}

func TestAppendHonoursItsContext(t *testing.T) {
	s := open(t, file(t))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	change := newJournal(t, "root").parent().take()
	require.ErrorIs(t, s.Append(gone, []lc.Change{change}), context.Canceled)
	require.NoError(t, s.Append(t.Context(), []lc.Change{change}))
}

func TestAFullDiskKeepsWhatWasWritten(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	var pages int
	require.NoError(t, s.write.QueryRowContext(t.Context(), `PRAGMA page_count`).Scan(&pages))
	_, err := s.write.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+2))
	require.NoError(t, err)
	big := newJournal(t, "big").parent()
	for range 20 {
		big.say(entry("big", "big/run/p1", lc.EntryUser, fmt.Sprintf("%10000d", 1)))
	}
	change := big.take()
	err = s.Append(t.Context(), []lc.Change{change})
	require.ErrorIs(t, err, ErrFull)
	require.ErrorContains(t, err, "is full")

	_, err = s.write.ExecContext(t.Context(), `PRAGMA max_page_count = 1000000`)
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), []lc.Change{change}), "there is room again")
	s = reopen(t, s)
	records, err := s.Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)
}

func TestReadersWaitForNoWriter(t *testing.T) {
	path := file(t)
	s := open(t, path)
	j := newJournal(t, "root").parent().child("0").into(s)
	var all sync.WaitGroup
	done := make(chan struct{})
	for range readers * 2 {
		all.Go(func() {
			for seen := lc.Seq(0); ; {
				records, err := s.Records(t.Context(), "root", seen, 100)
				if err != nil || (len(records) > 0 && records[0].Seq != seen+1) {
					t.Errorf("records after %d: %v", seen, err)
					return
				}
				seen += lc.Seq(len(records))
				select {
				case <-done:
					if len(records) == 0 {
						return
					}
				default:
				}
			}
		})
	}
	for range 200 {
		j.mark(j.session("0"), j.id("0"), lc.StepStarted{Step: 1}, lc.Text{Text: "more"}).into(s)
	}
	close(done)
	all.Wait()
	require.Less(t, s.walSize(), int64(16<<20), "the write-ahead log is folded back in time")
	records, err := s.Records(t.Context(), "root", 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)
}

func TestAReadOpenedBeforeACommitSeesOneMoment(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().into(s)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 100 {
				loaded, err := s.Load(t.Context(), "root")
				if err != nil || loaded.Runs[0].Seq != loaded.Seq {
					t.Errorf("a run at %d of a log at %d: %v", loaded.Runs[0].Seq, loaded.Seq, err)
					return
				}
			}
		})
	}
	for n := range 100 {
		j.mark("root", j.id("p1"), lc.StepStarted{Step: n + 1}).into(s)
	}
	all.Wait()
}
