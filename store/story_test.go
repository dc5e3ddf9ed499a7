package store

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

// story is a session in which every event happens: a parent, and three
// subagents of which one is told of by a notification, one by agent_output, and
// one is left pending.
func story(t testing.TB, s *Store) *journal {
	j := newJournal(t, lc.NewSessionID()).parent()
	p1 := j.id("p1")
	j.say(entry(j.root, p1, lc.EntryUser, "Audit the refunds")).into(s)
	j.mark(j.root, p1, lc.StepStarted{Step: 1}, lc.Thinking{Text: "where?"}, lc.Text{Text: "I will look."},
		lc.Waiting{Why: "rate limited", For: 3e9, Attempt: 2, Discarded: true},
		lc.UsageReported{Usage: lc.Usage{InputTokens: 10, OutputTokens: 2, CachedTokens: 5, Cost: 0.25}},
		lc.ToolStarted{Call: "call-a", Tool: "agent", Label: "look at a", Input: []byte(`{"prompt":"Look."}`)})
	j.say(entry(j.root, p1, lc.EntryAssistant, "I will look.")).into(s)
	j.child("a").child("b").child("c").into(s)
	result := entry(j.root, p1, lc.EntryToolResult, "started")
	result.Call = "call-a"
	j.mark(j.root, p1, lc.ToolEnded{Call: "call-a", Tool: "agent", Status: lc.ToolOK, View: []byte(`{"run":"a"}`)}).say(result).into(s)

	question := lc.Question{ID: "q1", Session: j.session("a"), Run: j.id("a"), Call: "c1", Tool: "shell", Subject: "go test", View: []byte(`{}`), Who: "look at a"}
	j.mark(j.session("a"), j.id("a"), lc.Placed{Worker: "w1", Machine: "oak", Version: "1.0", Attempt: 1, Folder: "/there"})
	j.request = 7
	j.mark(j.session("a"), j.id("a"), lc.StepStarted{Step: 1},
		lc.PermissionAsked{Question: question}, lc.PermissionGranted{Question: "q1", Call: "c1", By: "person", Scope: lc.GrantRun},
		lc.PermissionDenied{Call: "c2", Tool: "fetch", Subject: "go.dev", By: "nobody", Reason: "a background run has no person to ask"},
		lc.MessageQueued{Message: lc.Message{ID: "m1", From: lc.FromUser, Text: "hurry"}},
		lc.MessageQueued{Message: lc.Message{ID: "m2", From: lc.FromUser, Text: "never mind"}},
		lc.MessageEdited{Message: "m1", Text: "hurry up"}, lc.MessageMoved{Message: "m1", To: 1},
		lc.MessageWithdrawn{Message: "m2", Returned: true, From: lc.FromUser, Text: "never mind"},
		lc.MessageTaken{Message: "m1", Step: 2, From: lc.FromUser, Text: "hurry up"},
		lc.FilesChanged{Call: "c1", By: lc.ChangedByCommand, Folder: "/src", Files: changedFiles, Beside: []lc.RunID{p1}},
		lc.Searched{Query: "go", Found: []lc.Page{{URL: "https://go.dev", Title: "Go"}}},
		lc.Warned{Kind: lc.WarnSilence, Message: "silent for 60 s"}, lc.Nudged{}, lc.Compacted{Summary: "so far", Before: 9, After: 1}).into(s)
	j.request = 0
	j.mark(j.session("b"), j.id("b"), lc.Overdue{After: 6e11}, lc.Detached{}, lc.StopRequested{Cause: lc.CauseKey, Reason: "enough"}).into(s)
	j.owed("a").into(s)
	j.owed("b").owed("c").into(s)

	notice := entry(j.root, p1, lc.EntryNotification, "a completed")
	notice.Source = j.id("a")
	j.mark(j.root, p1, lc.StepStarted{Step: 2}).
		mark(j.session("a"), j.id("a"), lc.NotificationDelivered{InRun: p1, Step: 2}, lc.Consumed{By: lc.ByNotification, InRun: p1}).
		say(notice).into(s)
	j.mark(j.session("b"), j.id("b"), lc.NotificationWithdrawn{By: lc.ByAgentOutput}, lc.Consumed{By: lc.ByAgentOutput, InRun: p1, Call: "x"}).into(s)
	j.mark(j.root, p1, lc.Ended{State: lc.StateFailed, Error: &lc.Failure{Kind: lc.FailProvider, Message: "gone"}, Partial: "I"}).into(s)
	j.mark(j.session("a"), j.id("a"), lc.Landed{Operation: "o1", Folder: "/src", Worktree: "/tree", Branch: "pawl/a", Files: changedFiles, Left: []string{"b.go"}}).
		mark(j.root, p1, lc.Rewound{Operation: "o2", To: 1, Prompt: "Audit", Folder: "/src", Files: changedFiles, Skipped: []lc.SkippedFile{{Path: "b.go", Why: "changed since"}}}).into(s)
	return j.queued("d").into(s)
}

// changedFiles are one file that was changed and one that is new and was not kept.
var changedFiles = []lc.FileChange{
	{Path: "a.go", Before: lc.FileState{Kind: lc.FileRegular, Hash: "00", Size: 1, Mode: 0o644}, After: lc.FileState{Kind: lc.FileRegular, Hash: "01", Size: 2, Mode: 0o755}},
	{Path: "b.go", After: lc.FileState{Kind: lc.FileLink, Hash: "02", Size: 3}, Uncovered: "nobody knew it"},
}

// queued is a child that had to wait for a slot, and waits still.
func (j *journal) queued(name string) *journal {
	j.child(name)
	change := &j.change
	change.Records, change.Runs = change.Records[:len(change.Records)-2], change.Runs[:len(change.Runs)-1]
	spawned := j.records[len(j.records)-2].Event
	j.records, j.seq = j.records[:len(j.records)-2], j.seq-2
	delete(j.runs, j.id(name))
	return j.mark(j.session(name), j.id(name), spawned, lc.Queued{Position: 1})
}

func TestEveryKindOfEventComesBackAsItWas(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	names := lc.EventNames()
	for _, rec := range j.records {
		names = slices.DeleteFunc(names, func(name string) bool { return name == lc.Name(rec.Event) })
	}
	require.Empty(t, names, "the story must hold every event")

	s = reopen(t, s)
	records, err := s.Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)
}

func TestRunsComeBackAsTheirRecordsFoldThem(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	other := story(t, s)
	s = reopen(t, s)
	for _, j := range []*journal{j, other} {
		runs, err := s.Runs(t.Context(), j.root, 0, 0)
		require.NoError(t, err)
		var want []lc.Run
		for _, name := range []string{"p1", "a", "b", "c", "d"} {
			want = append(want, j.runs[j.id(name)])
		}
		require.Equal(t, want, runs)
	}
}

func TestLoadAfterReopening(t *testing.T) {
	s := open(t, file(t))
	j := story(t, s)
	story(t, s)
	s = reopen(t, s)
	loaded, err := s.Load(t.Context(), j.root)
	require.NoError(t, err)
	require.Equal(t, j.seq, loaded.Seq)
	runs, err := s.Runs(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, runs, loaded.Runs)
	var messages []lc.Record
	for _, rec := range j.records {
		switch rec.Event.(type) {
		case lc.MessageQueued, lc.MessageEdited, lc.MessageMoved, lc.MessageTaken, lc.MessageWithdrawn:
			messages = append(messages, rec)
		}
	}
	require.Equal(t, messages, loaded.Messages)
}

func TestLoadOfAnUnknownSessionIsEmpty(t *testing.T) {
	loaded, err := reopen(t, open(t, file(t))).Load(t.Context(), "nobody")
	require.NoError(t, err)
	require.Equal(t, lc.Loaded{}, loaded)
}

func TestTheSupervisorTakesUpWhatTheStoreKept(t *testing.T) {
	path := file(t)
	root := lc.NewSessionID()
	drive := func(s *Store) *lc.Supervisor {
		return lc.New(lc.Options{Journal: s, Limits: lc.DefaultLimits(), Work: func(_ ctx, port *lc.Port) lc.Outcome {
			_, err := port.Step()
			return lc.Outcome{Text: "hello", Err: err}
		}})
	}
	s := open(t, path)
	supervisor := drive(s)
	_, err := supervisor.Open(t.Context(), root, lc.Spec{Model: "demo", Folder: "/src"})
	require.NoError(t, err)
	reply, err := supervisor.Do(t.Context(), lc.Send{Session: root, Text: "hi"})
	require.NoError(t, err)
	awaitEnd(t, supervisor, root, reply.Runs[0].ID)
	require.NoError(t, supervisor.Close(t.Context(), lc.CauseQuit))
	before, err := supervisor.Snapshot(root)
	require.NoError(t, err)

	supervisor = drive(reopen(t, s))
	after, err := supervisor.Open(t.Context(), root, lc.Spec{})
	require.NoError(t, err)
	require.NoError(t, supervisor.Close(t.Context(), lc.CauseQuit))
	require.True(t, after.Reopened)
	require.Equal(t, before.Runs, after.Runs)
	require.Equal(t, lc.StateCompleted, after.Runs[0].State)
}
