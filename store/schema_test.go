package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

// refused runs one statement that the schema must not let through, on the
// connection that writes: whoever writes, and whatever was forgotten above.
func refused(t *testing.T, s *Store, reason, statement string, args ...any) {
	t.Helper()
	_, err := s.write.ExecContext(t.Context(), statement, args...)
	require.ErrorContains(t, err, reason)
	require.Equal(t, codeConstraint, s.code(err))
}

func TestSchemaRefusesAStateOutsideTheList(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	for _, state := range []string{"done", "Completed", "", "cancelled_by_user"} {
		refused(t, s, "CHECK constraint failed", `UPDATE runs SET state = ? WHERE id = ?`, state, j.id("d"))
		refused(t, s, "CHECK constraint failed",
			`INSERT INTO runs (id, root, session, spawned, state, data) VALUES ('x', ?1, ?1, 999, ?2, '{}')`, j.root, state)
	}
	refused(t, s, "CHECK constraint failed", `UPDATE notifications SET state = 'lost' WHERE run = ?`, j.id("c"))
	for _, state := range lc.States() {
		var ended any
		if state.Terminal() {
			ended = 1
		}
		_, err := s.write.ExecContext(t.Context(),
			`INSERT INTO runs (id, root, session, spawned, state, ended, data) VALUES (?1, ?2, ?2, 999 + ?3, ?1, ?4, '{}')`,
			string(state), j.root, len(state)*100+int(state[0]), ended)
		require.NoError(t, err)
	}
}

func TestSchemaRefusesAnEndWithoutATimeAndATimeWithoutAnEnd(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	refused(t, s, "CHECK constraint failed", `UPDATE runs SET ended = 1 WHERE id = ?`, j.id("d"))
	refused(t, s, "CHECK constraint failed", `UPDATE runs SET state = 'failed' WHERE id = ?`, j.id("d"))
}

func TestSchemaRefusesAChangeOfATerminalState(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	const reason = "a run that has ended keeps its state"
	for _, state := range []string{"failed", "interrupted", "canceled_by_user"} {
		refused(t, s, reason, `UPDATE runs SET state = ? WHERE id = ?`, state, j.id("a"))
	}
	refused(t, s, reason, `UPDATE runs SET state = 'running', ended = NULL WHERE id = ?`, j.id("a"))
	refused(t, s, reason, `UPDATE runs SET ended = ended + 1 WHERE id = ?`, j.id("a"))
	refused(t, s, "a run begins once",
		`INSERT OR REPLACE INTO runs (id, root, session, spawned, state, data) VALUES (?1, ?2, ?2, 999, 'running', '{}')`, j.id("a"), j.root)

	run := j.runs[j.id("a")]
	run.State = lc.StateFailed
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Runs: []lc.Run{run}}}), ErrRefused)
}

func TestSchemaRefusesARunThatGoesBackOrMoves(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().child("a").into(s)
	s = reopen(t, s)
	refused(t, s, "not queued again", `UPDATE runs SET state = 'queued' WHERE id = ?`, j.id("a"))
	refused(t, s, "stays in its session", `UPDATE runs SET session = root WHERE id = ?`, j.id("a"))
	refused(t, s, "stays in its session", `UPDATE runs SET spawned = 77 WHERE id = ?`, j.id("a"))
}

func TestSchemaRefusesASecondNotificationForARun(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	for _, run := range []string{"a", "b", "c"} { // delivered, withdrawn, pending
		for _, verb := range []string{"INSERT", "INSERT OR REPLACE"} {
			refused(t, s, "a run owes one notification",
				verb+` INTO notifications (run, session, state, queued) VALUES (?, ?, 'pending', 1)`, j.id(run), j.root)
		}
	}
	again := lc.Record{Seq: j.seq + 1, Time: epoch, Root: j.root, Session: j.session("c"), Run: j.id("c"), Event: lc.NotificationQueued{}}
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Records: []lc.Record{again}}}), ErrRefused)
}

func TestSchemaRefusesANotificationBeforeTheEnd(t *testing.T) {
	s := open(t, file(t))
	j := newJournal(t, "root").parent().child("a").into(s)
	s = reopen(t, s)
	refused(t, s, "only for a run that has ended",
		`INSERT INTO notifications (run, session, state, queued) VALUES (?, ?, 'pending', 1)`, j.id("a"), j.root)
}

func TestSchemaRefusesToSettleANotificationTwice(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	refused(t, s, "delivered or withdrawn once", `UPDATE notifications SET state = 'withdrawn' WHERE run = ?`, j.id("a"))
	refused(t, s, "delivered or withdrawn once", `UPDATE notifications SET state = 'pending', settled = NULL WHERE run = ?`, j.id("b"))
	for _, event := range []lc.Event{lc.NotificationDelivered{InRun: j.id("p1"), Step: 9}, lc.NotificationWithdrawn{By: lc.ByAgentStop}} {
		rec := lc.Record{Seq: j.seq + 1, Time: epoch, Root: j.root, Session: j.session("a"), Run: j.id("a"), Event: event}
		require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Records: []lc.Record{rec}}}), ErrRefused)
	}
}

func TestSchemaRefusesASecondResultForAToolCall(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	second := entry(j.root, j.id("p1"), lc.EntryToolResult, "again")
	second.Call = "call-a"
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Entries: []lc.Entry{second}}}), ErrRefused)

	second.Session = j.session("b") // another session may have a call of that name
	require.NoError(t, s.Append(t.Context(), []lc.Change{{Entries: []lc.Entry{second}}}))
}

func TestSchemaRefusesASecondMessageFromOneNotification(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	for _, session := range []lc.SessionID{j.root, j.session("b")} {
		second := entry(session, j.id("p1"), lc.EntryNotification, "a completed")
		second.Source = j.id("a")
		require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Entries: []lc.Entry{second}}}), ErrRefused)
	}
}

func TestSchemaRefusesTwoRecordsOfOneNumber(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	rec := lc.Record{Seq: j.seq, Time: epoch, Root: j.root, Session: j.root, Run: j.id("p1"), Event: lc.Nudged{}}
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Records: []lc.Record{rec}}}), ErrRefused)
	rec.Seq = 0
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Records: []lc.Record{rec}}}), ErrRefused)
}

func TestSchemaRefusesWhatHappensOnceToHappenTwice(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	for _, event := range []lc.Event{
		lc.Started{}, lc.Ended{State: lc.StateCompleted, Result: "done"}, lc.Consumed{By: lc.ByAgentOutput},
	} {
		rec := lc.Record{Seq: j.seq + 1, Time: epoch, Root: j.root, Session: j.session("a"), Run: j.id("a"), Event: event}
		require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Records: []lc.Record{rec}}}), ErrRefused, lc.Name(event))
	}
}

func TestSchemaRefusesToRewriteWhatWasWritten(t *testing.T) {
	s := open(t, file(t))
	story(t, s)
	s = reopen(t, s)
	refused(t, s, "a record is never changed", `UPDATE records SET data = '{}' WHERE seq = 1`)
	refused(t, s, "a transcript entry is never changed", `UPDATE messages SET body = '{}' WHERE id = 1`)
}

func TestSchemaRefusesRowsThatBelongToNothing(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	s = reopen(t, s)
	rec := lc.Record{Seq: 1, Time: epoch, Root: "nobody", Session: "nobody", Run: "x", Event: lc.Nudged{}}
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Records: []lc.Record{rec}}}), ErrRefused)
	lost := entry("nobody", j.id("p1"), lc.EntryUser, "hello?")
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{{Entries: []lc.Entry{lost}}}), ErrRefused)
	require.Error(t, s.Append(t.Context(), []lc.Change{{Runs: []lc.Run{{ID: "x", Session: j.root, State: lc.StateQueued}}}}))
	child := newJournal(t, "orphan").child("a").take() // its root never spoke
	require.ErrorIs(t, s.Append(t.Context(), []lc.Change{child}), ErrRefused)
}
