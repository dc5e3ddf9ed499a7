package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/lifecycle"
)

func TestMain(m *testing.M) {
	if role := os.Getenv("PAWL_STORE_TEST_ROLE"); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

// file is where a test keeps its database: in a folder that is not there yet.
func file(t testing.TB) string { return filepath.Join(t.TempDir(), "data", "pawl.db") }

// open opens it and closes it with the test.
func open(t testing.TB, path string, options ...Options) *Store {
	t.Helper()
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	s, err := Open(t.Context(), path, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// reopen closes a database and opens it again: what a test then sees was stored.
func reopen(t testing.TB, s *Store) *Store {
	t.Helper()
	require.NoError(t, s.Close())
	return open(t, s.path)
}

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// journal writes changes of one root session as the supervisor would: numbered,
// and folded by Run.Apply.
type journal struct {
	t       testing.TB
	root    lifecycle.SessionID
	seq     lifecycle.Seq
	request int64 // of what is marked next
	runs    map[lifecycle.RunID]lifecycle.Run
	records []lifecycle.Record // all of them
	change  lifecycle.Change   // the one that is being made
}

func newJournal(t testing.TB, root lifecycle.SessionID) *journal {
	return &journal{t: t, root: root, runs: map[lifecycle.RunID]lifecycle.Run{}}
}

// mark adds records of one run to the change.
func (j *journal) mark(session lifecycle.SessionID, id lifecycle.RunID, events ...lifecycle.Event) *journal {
	j.t.Helper()
	for _, event := range events {
		j.seq++
		rec := lifecycle.Record{
			Seq: j.seq, Time: epoch.Add(time.Duration(j.seq) * 1234567 * time.Microsecond),
			Root: j.root, Session: session, Run: id, Request: j.request, Event: event,
		}
		run, err := j.runs[id].Apply(rec)
		require.NoError(j.t, err)
		j.runs[id] = run
		j.records = append(j.records, rec)
		j.change.Records = append(j.change.Records, rec)
	}
	j.change.Runs = append(j.change.Runs, j.runs[id])
	return j
}

func (j *journal) say(entries ...lifecycle.Entry) *journal {
	j.change.Entries = append(j.change.Entries, entries...)
	return j
}

// take hands the change over and begins another.
func (j *journal) take() lifecycle.Change {
	change := j.change
	j.change = lifecycle.Change{}
	return change
}

// into appends the change.
func (j *journal) into(s *Store) *journal {
	j.t.Helper()
	require.NoError(j.t, s.Append(context.Background(), []lifecycle.Change{j.take()}))
	return j
}

// parent spawns and starts the run "p1" of the root session.
func (j *journal) parent() *journal {
	spec := lifecycle.Spec{Root: j.root, Trigger: lifecycle.TriggerUser, Prompt: "Audit the refunds\nand tell me", Model: "demo", Folder: "/src", From: lifecycle.FromUser}
	return j.mark(j.root, j.id("p1"), lifecycle.Spawned{Spec: spec}, lifecycle.Started{})
}

// child spawns and starts a background run of a subagent.
func (j *journal) child(name string) *journal {
	spec := lifecycle.Spec{
		Root: j.root, Parent: j.root, ParentRun: j.id("p1"), Call: lifecycle.CallID("call-" + name), Trigger: lifecycle.TriggerAgent,
		Type: "explore", Description: "look at " + name, Prompt: "Look.", Model: "demo-small", Folder: "/src", Background: true,
	}
	if name == "a" {
		spec.Isolation, spec.Labels, spec.Idempotent = lifecycle.IsolationRemote, []string{"gpu"}, true
	}
	return j.mark(j.session(name), j.id(name), lifecycle.Spawned{Spec: spec}, lifecycle.Started{})
}

func (j *journal) ended(name string) *journal {
	return j.mark(j.session(name), j.id(name), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "done"})
}

// owed ends a child that owes its parent a notification.
func (j *journal) owed(name string) *journal {
	return j.ended(name).mark(j.session(name), j.id(name), lifecycle.NotificationQueued{})
}

func (j *journal) id(name string) lifecycle.RunID {
	return lifecycle.RunID(string(j.root) + "/run/" + name)
}

func (j *journal) session(name string) lifecycle.SessionID {
	return lifecycle.SessionID(string(j.root) + "/" + name)
}

func entry(session lifecycle.SessionID, run lifecycle.RunID, kind lifecycle.EntryKind, text string) lifecycle.Entry {
	return lifecycle.Entry{Session: session, Run: run, Kind: kind, Body: fmt.Appendf(nil, `{"text":%q}`, text)}
}

// ctx is short for the tests' closures.
type ctx = context.Context

// awaitEnd watches until a run has ended.
func awaitEnd(t testing.TB, supervisor *lifecycle.Supervisor, root lifecycle.SessionID, run lifecycle.RunID) {
	watching, stop := context.WithCancel(t.Context())
	err := supervisor.Watch(watching, root, 0, func(updates lifecycle.Updates) {
		for _, rec := range updates.Records {
			if _, ended := rec.Event.(lifecycle.Ended); ended && rec.Run == run {
				stop()
			}
		}
	})
	require.ErrorIs(t, err, context.Canceled)
}
