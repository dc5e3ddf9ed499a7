package store

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

func TestRecordsComeInPages(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	story(t, s)
	s = reopen(t, s)
	var all []lc.Record
	for {
		page, err := s.Records(t.Context(), j.root, lc.Seq(len(all)), 7)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), 7)
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
	}
	require.Equal(t, j.records, all)
}

func TestReadsHonourTheirContext(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Records(gone, j.root, 0, 0)
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Load(gone, j.root)
	require.ErrorIs(t, err, context.Canceled)
}

func TestTailIsTheEndOfOneSession(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	story(t, s)
	s = reopen(t, s)
	var own []lc.Record
	for _, rec := range j.records {
		if rec.Session == j.session("a") {
			own = append(own, rec)
		}
	}
	tail, err := s.Tail(t.Context(), j.root, j.session("a"), 0, 5)
	require.NoError(t, err)
	require.Equal(t, own[len(own)-5:], tail)

	earlier, err := s.Tail(t.Context(), j.root, j.session("a"), tail[0].Seq, 3)
	require.NoError(t, err)
	require.Equal(t, own[len(own)-8:len(own)-5], earlier)

	all, err := s.Tail(t.Context(), j.root, j.session("a"), 0, 1000)
	require.NoError(t, err)
	require.Equal(t, own, all)

	none, err := s.Tail(t.Context(), j.root, "nobody", 0, 5)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestEntriesComeInTheOrderInWhichTheyWereWritten(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	entries, err := s.Entries(t.Context(), j.root)
	require.NoError(t, err)
	p1 := j.id("p1")
	result := entry(j.root, p1, lc.EntryToolResult, "started")
	result.Call = "call-a"
	notice := entry(j.root, p1, lc.EntryNotification, "a completed")
	notice.Source = j.id("a")
	require.Equal(t, []lc.Entry{
		entry(j.root, p1, lc.EntryUser, "Audit the refunds"), entry(j.root, p1, lc.EntryAssistant, "I will look."), result, notice,
	}, entries)

	none, err := s.Entries(t.Context(), "nobody")
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestATranscriptCanBeReadAsItStoodAtARecord(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent()
	p1 := j.id("p1")
	j.say(entry("root", p1, lc.EntryUser, "one")).into(s)
	j.say(entry("root", p1, lc.EntryAssistant, "two")).into(s) // beside no record
	at := j.seq
	j.mark("root", p1, lc.StepStarted{Step: 1}).say(entry("root", p1, lc.EntryAssistant, "three")).into(s)
	s = reopen(t, s)
	entries, err := s.EntriesUntil(t.Context(), "root", at, 0, -1)
	require.NoError(t, err)
	require.Equal(t, []lc.Entry{entry("root", p1, lc.EntryUser, "one"), entry("root", p1, lc.EntryAssistant, "two")}, entries)
	entries, err = s.EntriesUntil(t.Context(), "root", at-1, 0, -1)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// However the pages of two transcripts alternate, and whatever is skipped, each gives
// what is behind so many entries.
func TestPagesOfATranscriptFollowOneAnother(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().child("a").into(s)
	whole := map[lc.SessionID][]lc.Entry{}
	for n := range 20 {
		for _, in := range []lc.SessionID{"root", j.session("a")} {
			one := entry(in, j.id("p1"), lc.EntryAssistant, fmt.Sprint(in, n))
			whole[in] = append(whole[in], one)
			j.say(one)
		}
		j.mark("root", j.id("p1"), lc.StepStarted{Step: n + 1}).into(s)
	}
	s = reopen(t, s)
	for _, limit := range []int{1, 3, 7, 30} {
		for after := 0; after <= 20; after += limit {
			for in, want := range whole {
				page, err := s.EntriesUntil(t.Context(), in, j.seq, after, limit)
				require.NoError(t, err)
				require.Equal(t, want[after:min(after+limit, 20)], append([]lc.Entry{}, page...))
			}
		}
	}
	again, err := s.EntriesUntil(t.Context(), "root", j.seq-10, 3, 2)
	require.NoError(t, err)
	require.Equal(t, whole["root"][3:5], again)
}

func TestRunsComeInPages(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	all, err := s.Runs(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Greater(t, len(all), 3)
	page, err := s.Runs(t.Context(), j.root, 1, 2)
	require.NoError(t, err)
	require.Equal(t, all[1:3], page)
	page, err = s.Runs(t.Context(), j.root, len(all), 2)
	require.NoError(t, err)
	require.Empty(t, page)
}

func TestEntriesBeforeARecordAreCounted(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	whole, err := s.Entries(t.Context(), j.root)
	require.NoError(t, err)
	for seq := lc.Seq(1); seq <= j.seq+1; seq++ {
		until, err := s.EntriesUntil(t.Context(), j.root, seq-1, 0, -1)
		require.NoError(t, err)
		count, err := s.EntriesBefore(t.Context(), j.root, seq)
		require.NoError(t, err)
		require.Equal(t, len(until), count)
	}
	count, err := s.EntriesBefore(t.Context(), j.root, j.seq+1)
	require.NoError(t, err)
	require.Equal(t, len(whole), count)
}

func TestChangeRecordsAreThoseOfChangesAndOfTheirPrompts(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().child("a").child("b")
	changed := lc.FilesChanged{By: lc.ChangedByTool, Folder: "/src", Files: []lc.FileChange{{Path: "a.go", After: lc.FileState{Kind: lc.FileRegular, Hash: "00"}}}}
	j.mark(j.root, j.id("p1"), lc.StepStarted{Step: 1}, changed, piece)
	j.mark(j.session("a"), j.id("a"), lc.StepStarted{Step: 1}, changed).ended("a")
	j.mark(j.session("a"), j.id("a"), lc.Landed{Operation: "o1", Folder: "/src", Files: changed.Files})
	j.mark(j.root, j.id("p1"), lc.Rewound{Operation: "o2", To: 1}).into(s)
	newJournal(t, "other").parent().child("x").into(s)
	s = reopen(t, s)
	var want []lc.Record
	for _, rec := range j.records {
		switch rec.Event.(type) {
		case lc.Spawned, lc.MessageTaken, lc.FilesChanged, lc.Landed, lc.Rewound:
			want = append(want, rec)
		}
	}
	require.Len(t, want, 7)
	found, err := s.ChangeRecords(t.Context(), j.root)
	require.NoError(t, err)
	require.Equal(t, want, found)
	none, err := s.ChangeRecords(t.Context(), "nobody")
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestLoadReadsNoMoreOfTheLogThanMessages(t *testing.T) {
	s := open(t, file(t))
	for query, want := range map[string]string{
		messageRecordsSQL: "USING INDEX records_message (root=?)",
		changeRecordsSQL:  "USING INDEX records_change (root=?)",
		tailSQL:           "USING INDEX records_session (session=? AND seq<?)",
		recordsSQL:        "USING PRIMARY KEY (root=? AND seq>?)",
		runsSQL:           "USING INDEX runs_root (root=?)",
		entriesSQL:        "USING INDEX messages_session (session=? AND rowid>?)",
	} {
		rows, err := s.read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, 1, 2, 3, 4, 5)
		if err != nil { // one of them has fewer arguments
			rows, err = s.read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query)
		}
		require.NoError(t, err)
		var plan string
		for rows.Next() {
			var a, b, c any
			var detail string
			require.NoError(t, rows.Scan(&a, &b, &c, &detail))
			plan += detail + "\n"
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
		require.Contains(t, plan, want)
		require.NotContains(t, plan, "SCAN")
		require.NotContains(t, plan, "TEMP B-TREE", "it comes in order as it is")
	}
}
