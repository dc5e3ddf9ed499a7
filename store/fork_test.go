package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

// dump is all rows of a database that are of a session, as text.
func dump(t testing.TB, s *Store, root lc.SessionID) string {
	t.Helper()
	var all strings.Builder
	for _, query := range []string{
		`SELECT * FROM sessions WHERE root = ?1 ORDER BY id`,
		`SELECT * FROM records WHERE root = ?1 ORDER BY seq`,
		`SELECT * FROM runs WHERE root = ?1 ORDER BY spawned`,
		`SELECT n.* FROM notifications n JOIN runs r ON r.id = n.run WHERE r.root = ?1 ORDER BY r.spawned`,
		`SELECT m.session, m.seq, m.run, m.kind, m.call, m.source, m.body FROM messages m JOIN sessions s ON s.id = m.session WHERE s.root = ?1 ORDER BY m.session, m.id`,
		`SELECT f.* FROM session_facts f JOIN sessions s ON s.id = f.session WHERE s.root = ?1 AND f.name <> 'forked_from' AND f.name NOT LIKE 'returned:%' ORDER BY f.session, f.name`,
	} {
		rows, err := s.read.QueryContext(t.Context(), query, string(root))
		require.NoError(t, err)
		columns, err := rows.Columns()
		require.NoError(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			places := make([]any, len(columns))
			for i := range values {
				places[i] = &values[i]
			}
			require.NoError(t, rows.Scan(places...))
			fmt.Fprintln(&all, values...)
		}
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	return all.String()
}

// forked forks a session and returns the new one's id.
func forked(t testing.TB, s *Store, f Fork) lc.SessionID {
	t.Helper()
	f.Root = lc.NewSessionID()
	from, err := s.Fork(t.Context(), f)
	require.NoError(t, err)
	text, err := s.SessionFact(t.Context(), f.Root, FactForkedFrom)
	require.NoError(t, err)
	require.Contains(t, text, string(f.Session))
	require.Equal(t, f.Session, from.Session)
	return f.Root
}

func TestAForkHasAllOfItsOriginalUnderOtherIds(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	require.NoError(t, s.SetSessionFact(t.Context(), j.root, FactTodo, "[]"))
	before := dump(t, s, j.root)
	cost, err := s.DayCost(t.Context(), j.records[0].Time)
	require.NoError(t, err)
	root := forked(t, s, Fork{
		ForkedFrom: ForkedFrom{Session: j.root, Prompt: "Audit"},
		Facts:      map[lc.SessionID]map[string]string{j.root: {FactTodo: "[]"}, j.session("a"): {FactTodo: `["` + string(j.id("a")) + `"]`}},
	})
	require.Equal(t, before, dump(t, s, j.root), "the original stays as it was")
	after := dump(t, s, root)
	require.NotContains(t, after, string(j.root))
	records, err := s.Records(t.Context(), root, 0, 0)
	require.NoError(t, err)
	require.Len(t, records, len(j.records))
	for i, rec := range records {
		require.Equal(t, j.records[i].Time, rec.Time)
		require.Equal(t, lc.Name(j.records[i].Event), lc.Name(rec.Event))
	}
	// The ids of this story begin with the root's: renamed back, all else is the same.
	same := strings.ReplaceAll(after, string(root), string(j.root))
	lines := slices.DeleteFunc(strings.Split(same, "\n"), func(line string) bool {
		return strings.Contains(line, "fork of") || strings.HasPrefix(line, string(j.session("a"))+" todo")
	})
	want := slices.DeleteFunc(strings.Split(before, "\n"), func(line string) bool { return strings.HasPrefix(line, string(j.root)+" "+string(j.root)+" <nil>") })
	require.Equal(t, want, lines)
	again, err := s.DayCost(t.Context(), j.records[0].Time)
	require.NoError(t, err)
	require.Equal(t, cost, again, "what was spent is not spent again")
	info, err := s.Session(t.Context(), string(root))
	require.NoError(t, err)
	require.Equal(t, "fork of Audit the refunds", info.Title)
	require.NoError(t, s.Check(t.Context()))

	third := forked(t, s, Fork{ForkedFrom: ForkedFrom{Session: root}})
	info, err = s.Session(t.Context(), string(third))
	require.NoError(t, err)
	require.Equal(t, "fork of Audit the refunds", info.Title, "that of a fork's fork is no longer")
}

// Wherever it is cut, a fork is what the database held before that record was written.
func TestAForkIsWhatTheSessionWasBeforeTheRecord(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	for _, rec := range j.records[1:] {
		if lc.Name(rec.Event) == "message_taken" {
			continue
		}
		root := forked(t, s, Fork{ForkedFrom: ForkedFrom{Session: j.root, Seq: rec.Seq}})
		records, err := s.Records(t.Context(), root, 0, 0)
		require.NoError(t, err)
		require.Len(t, records, int(rec.Seq-1))
		runs := map[lc.RunID]lc.Run{}
		for _, rec := range records {
			run, err := runs[rec.Run].Apply(rec)
			require.NoError(t, err)
			runs[rec.Run] = run
		}
		loaded, err := s.Load(t.Context(), root)
		require.NoError(t, err)
		require.Equal(t, rec.Seq-1, loaded.Seq)
		require.Len(t, loaded.Runs, len(runs))
		for _, run := range loaded.Runs {
			require.Equal(t, written(runs[run.ID]), written(run), "at record %d", rec.Seq)
			entries, err := s.Entries(t.Context(), run.Session)
			require.NoError(t, err)
			same, err := s.EntriesUntil(t.Context(), lc.SessionID(strings.ReplaceAll(string(run.Session), string(root), string(j.root))), rec.Seq-1, 0, -1)
			require.NoError(t, err)
			require.Len(t, entries, len(same))
		}
	}
	require.NoError(t, s.Check(t.Context()))
}

func TestAForkBeforeAMessageLeavesTheStepOutThatTookItIn(t *testing.T) {
	s := open(t, file(t))
	root := lc.NewSessionID()
	j := newJournal(t, root).parent()
	j.into(s)
	j.mark(root, j.id("p1"), lc.MessageQueued{Message: lc.Message{ID: lc.NewMessageID(), From: lc.FromUser, Text: "also"}}).into(s)
	queued := j.records[len(j.records)-1].Event.(lc.MessageQueued)
	j.mark(root, j.id("p1"), lc.StepStarted{Step: 1}, lc.MessageTaken{Message: queued.ID, Step: 1, From: lc.FromUser, Text: "also"}).
		say(entry(root, j.id("p1"), lc.EntryUser, "also")).into(s)
	f := Fork{ForkedFrom: ForkedFrom{Session: root, Seq: j.seq}, Root: lc.NewSessionID()}
	from, err := s.Fork(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, j.seq-1, from.Seq)
	records, err := s.Records(t.Context(), f.Root, 0, 0)
	require.NoError(t, err)
	require.Len(t, records, int(j.seq-2))
	require.NotContains(t, dump(t, s, f.Root), string(queued.ID))
	entries, err := s.Entries(t.Context(), f.Root)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestWhatCannotBeForkedIsSaid(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	_, err := s.Fork(t.Context(), Fork{ForkedFrom: ForkedFrom{Session: j.session("a")}, Root: lc.NewSessionID()})
	require.ErrorIs(t, err, ErrUnknown)
	_, err = s.Fork(t.Context(), Fork{ForkedFrom: ForkedFrom{Session: j.root, Seq: 1}, Root: lc.NewSessionID()})
	require.ErrorIs(t, err, ErrRefused)
	require.ErrorContains(t, err, "nothing before that")
	infos, err := s.Sessions(t.Context(), Filter{RootsOnly: true})
	require.NoError(t, err)
	require.Len(t, infos, 1, "none of it is left")
}

// The user's own commands are in sessions of their own, which hang on the root.
func TestASessionThatBeginsWithACommandOfTheUsersIsForked(t *testing.T) {
	for name, prompted := range map[string]bool{"and goes on": true, "and has only that": false} {
		t.Run(name, func(t *testing.T) {
			s := open(t, file(t))
			j := newJournal(t, lc.NewSessionID())
			spec := lc.Spec{Kind: lc.KindShell, Root: j.root, Parent: j.root, From: lc.FromUser, Command: "ls", Trigger: lc.TriggerUser}
			j.mark(lc.NewSessionID(), lc.NewRunID(), lc.Spawned{Spec: spec}, lc.Started{}, lc.Ended{State: lc.StateCompleted})
			if prompted {
				j.mark(j.root, lc.NewRunID(), lc.Spawned{Spec: lc.Spec{Root: j.root, Trigger: lc.TriggerUser, Prompt: "go"}}, lc.Started{}, lc.Ended{State: lc.StateCompleted})
			}
			j.into(s)
			root := forked(t, s, Fork{ForkedFrom: ForkedFrom{Session: j.root}})
			last, err := s.LastSeq(t.Context(), root)
			require.NoError(t, err)
			require.Equal(t, j.seq, last)
		})
	}
}

func TestTenThousandRecordsAreForkedInAMoment(t *testing.T) {
	s := open(t, file(t))
	j := busy(t, s)
	for len(j.records) < 10_000 {
		require.NoError(t, s.Append(t.Context(), work(j, 100)))
	}
	since := time.Now()
	root := forked(t, s, Fork{ForkedFrom: ForkedFrom{Session: j.root}})
	t.Logf("%d records in %v", len(j.records), time.Since(since))
	require.Less(t, time.Since(since), time.Minute, "with a race detector, on a busy machine")
	last, err := s.LastSeq(t.Context(), root)
	require.NoError(t, err)
	require.Equal(t, j.seq, last)
}

func TestAForkSaysWhichRecordsAreOfItsOriginal(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	loaded, err := s.Load(t.Context(), j.root)
	require.NoError(t, err)
	require.Zero(t, loaded.Copied)
	loaded, err = s.Load(t.Context(), forked(t, s, Fork{ForkedFrom: ForkedFrom{Session: j.root}}))
	require.NoError(t, err)
	require.Equal(t, j.seq, loaded.Copied)
	require.Equal(t, j.seq, loaded.Seq)
}
