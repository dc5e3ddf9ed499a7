package files

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

const (
	root   lifecycle.SessionID = "root"
	helper lifecycle.SessionID = "helper"
	folder                     = "/src"
)

// book is a log as it is written: each event gets the next number.
type book struct {
	Log
	seq lifecycle.Seq
}

func (b *book) say(session lifecycle.SessionID, run lifecycle.RunID, event lifecycle.Event) lifecycle.Seq {
	b.seq++
	b.Apply(lifecycle.Record{
		Seq: b.seq, Time: time.Unix(int64(b.seq), 0), Root: root, Session: session, Run: run, Event: event,
	})
	return b.seq
}

func (b *book) prompt(run lifecycle.RunID, text string) lifecycle.Seq {
	return b.say(root, run, lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Prompt: text, From: lifecycle.FromUser, Trigger: lifecycle.TriggerUser}})
}

func (b *book) change(session lifecycle.SessionID, run lifecycle.RunID, files ...lifecycle.FileChange) lifecycle.Seq {
	return b.say(session, run, lifecycle.FilesChanged{Call: "c", By: lifecycle.ChangedByTool, Folder: folder, Files: files})
}

// is a file that holds what the name says; empty: none.
func is(holds string) lifecycle.FileState {
	if holds == "" {
		return lifecycle.FileState{}
	}
	return lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: holds, Size: int64(len(holds)), Mode: 0o644}
}

func from(path, before, after string) lifecycle.FileChange {
	return lifecycle.FileChange{Path: path, Before: is(before), After: is(after)}
}

func TestPointsAreWhatPeopleWroteToTheRootAndLandingsAndRewinds(t *testing.T) {
	var b book
	b.prompt("r1", "make it")
	b.say(helper, "h1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, Prompt: "do", From: lifecycle.FromAgent, Description: "fix the parser"}})
	b.say(helper, "h1", lifecycle.MessageTaken{From: lifecycle.FromUser, Text: "to the subagent"})
	b.say(root, "r1", lifecycle.MessageTaken{From: lifecycle.FromUser, Text: "and that"})
	b.say(root, "r2", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerCompact, Prompt: "be short", From: lifecycle.FromUser}})
	b.say(root, "r3", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerContinue, Prompt: "go on", From: lifecycle.FromPawl}})
	b.say(root, "r4", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerMessage, From: lifecycle.FromUser}})
	b.say(helper, "h1", lifecycle.Landed{Folder: folder, Files: []lifecycle.FileChange{from("a", "1", "2")}})
	b.say(root, "r4", lifecycle.Rewound{To: 4, Prompt: "and that", Folder: folder})
	var got []string
	for _, p := range b.Points() {
		got = append(got, string(p.Kind)+" "+p.Text)
	}
	require.Equal(t, []string{"prompt make it", "prompt and that", "landing fix the parser", "rewind and that"}, got)
	require.Equal(t, 1, b.Points()[2].Files)
}

func TestANetIsFromBeforeTheFirstToAfterTheLast(t *testing.T) {
	var b book
	b.change(root, "r1", from("b", "", "1"), from("a", "1", "2"))
	second := b.change(helper, "h1", from("a", "2", "3"), from("back", "1", "2"))
	b.change(root, "r1", from("a", "3", "4"), from("back", "2", "1"))
	b.say(root, "r1", lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: "/elsewhere", Files: []lifecycle.FileChange{from("a", "9", "")}, Unwatched: "too many files"})
	for name, is := range map[string]struct {
		filter Filter
		want   []string
	}{
		"all":          {Filter{}, []string{"/elsewhere/a 9>", "/src/a 1>4", "/src/b >1"}},
		"of a folder":  {Filter{Folder: folder}, []string{"/src/a 1>4", "/src/b >1"}},
		"of a path":    {Filter{Path: "b"}, []string{"/src/b >1"}},
		"of a run":     {Filter{Run: "r1", Folder: folder}, []string{"/src/a 1>4 with a gap", "/src/b >1", "/src/back 2>1"}},
		"of a session": {Filter{Session: helper}, []string{"/src/a 2>3", "/src/back 1>2"}},
		"from":         {Filter{From: second, Folder: folder}, []string{"/src/a 2>4"}},
		"before":       {Filter{Before: second}, []string{"/src/a 1>2", "/src/b >1"}},
	} {
		var got []string
		for _, n := range b.Net(is.filter) {
			line := n.Folder + "/" + n.Path + " " + n.Before.Hash + ">" + n.After.Hash
			if n.Gap {
				line += " with a gap"
			}
			got = append(got, line)
		}
		require.Equal(t, is.want, got, name)
	}
	require.Len(t, b.Unwatched(), 1)
	require.Equal(t, "too many files", b.Unwatched()[0].Why)
}

func TestWhatAPersonChangedBetweenIsAGap(t *testing.T) {
	var b book
	b.change(root, "r1", from("a", "1", "2"))
	b.change(root, "r1", from("a", "mine", "1"))
	nets := b.Net(Filter{})
	require.Len(t, nets, 1, "back to what it was, but not by these alone")
	require.True(t, nets[0].Gap)
}

func TestTakingBackWantsWhatWasBeforeTheFirstChange(t *testing.T) {
	type take struct{ path, want, expect, others, uncovered string }
	unknown := lifecycle.FileChange{Path: "u", Before: lifecycle.FileState{Kind: lifecycle.FileRegular}, After: is("2"), Uncovered: "too large"}
	for name, is := range map[string]struct {
		log  func(b *book) lifecycle.Seq // returns the record to go back to
		only lifecycle.SessionID
		want []take
	}{
		"every writer": {log: func(b *book) lifecycle.Seq {
			b.change(root, "r1", from("a", "0", "1"))
			to := b.prompt("r2", "next")
			b.change(root, "r2", from("a", "1", "2"), from("new", "", "1"))
			b.change(helper, "h1", from("a", "2", "3"))
			return to
		}, want: []take{{"a", "1", "3", "", ""}, {"new", "", "1", "", ""}}},
		"nothing that came back": {log: func(b *book) lifecycle.Seq {
			b.change(root, "r1", from("a", "1", "2"))
			b.change(root, "r1", from("a", "2", "1"))
			return 1
		}},
		"a person between": {log: func(b *book) lifecycle.Seq {
			b.change(root, "r1", from("a", "1", "2"))
			b.change(root, "r1", from("a", "mine", "3"))
			return 1
		}, want: []take{{"a", "1", "3", changedUnknown, ""}}},
		"what is not covered": {log: func(b *book) lifecycle.Seq {
			b.change(root, "r1", unknown)
			return 1
		}, want: []take{{"u", "", "2", "", "too large"}}},
		"one subagent alone": {log: func(b *book) lifecycle.Seq {
			b.change(root, "r1", from("mine", "1", "2"))
			b.change(helper, "h1", from("a", "1", "2"), from("b", "1", "2"))
			b.change(root, "r1", from("b", "2", "3"))
			return 1
		}, only: helper, want: []take{{"a", "1", "2", "", ""}, {"b", "1", "2", changedByAnother, ""}}},
		"a command beside": {log: func(b *book) lifecycle.Seq {
			b.prompt("r1", "go")
			b.say(helper, "h1", lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: folder, Beside: []lifecycle.RunID{"r1"}, Files: []lifecycle.FileChange{from("a", "1", "2")}})
			return 1
		}, only: helper, want: []take{{"a", "1", "2", perhapsAnother, ""}}},
		"a rewind of a rewind": {log: func(b *book) lifecycle.Seq {
			b.change(root, "r1", from("a", "1", "2"))
			return b.say(root, "r1", lifecycle.Rewound{To: 1, Folder: folder, Files: []lifecycle.FileChange{from("a", "2", "1")}})
		}, want: []take{{"a", "2", "1", "", ""}}},
		"what a rewind took back already": {log: func(b *book) lifecycle.Seq {
			b.change(helper, "h1", from("a", "1", "2"))
			b.say(root, "r1", lifecycle.Rewound{To: 1, Folder: folder, Files: []lifecycle.FileChange{from("a", "2", "1")}})
			return 1
		}, only: helper},
		"a landing": {log: func(b *book) lifecycle.Seq {
			return b.say(helper, "h1", lifecycle.Landed{Folder: folder, Files: []lifecycle.FileChange{from("a", "1", "2")}})
		}, want: []take{{"a", "1", "2", "", ""}}},
		"no other folder": {log: func(b *book) lifecycle.Seq {
			b.say(helper, "h1", lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/worktree", Files: []lifecycle.FileChange{from("a", "1", "2")}})
			return 1
		}},
	} {
		var b book
		to := is.log(&b)
		var got []take
		for _, k := range b.TakeBack(folder, to, is.only) {
			got = append(got, take{k.Path, k.Want.Hash, k.Expect.Hash, k.Others, k.Uncovered})
		}
		require.Equal(t, is.want, got, name)
	}
}

func TestTheWritersOfAFileAreNamedOnceEach(t *testing.T) {
	var b book
	b.change(root, "r1", from("a", "0", "1"))
	b.change(helper, "h1", from("a", "1", "2"))
	b.change(root, "r1", from("a", "2", "3"))
	takes := b.TakeBack(folder, 1, "")
	require.Equal(t, []lifecycle.RunID{"r1", "h1"}, takes[0].Writers)
}

func TestWhatIsReturnedIsTheCallers(t *testing.T) {
	var b book
	b.change(root, "r1", from("a", "0", "1"))
	changes := b.Changes()
	changes[0].Path = "other"
	require.Equal(t, "a", b.Changes()[0].Path)
}

func TestTheFilesOfASubagentAreThoseOfItsShellsToo(t *testing.T) {
	var b book
	to := b.prompt("r1", "make it")
	b.say(helper, "h1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Parent: root, From: lifecycle.FromAgent}})
	b.say("sh", "s1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Kind: lifecycle.KindShell, Parent: helper, ParentRun: "h1"}})
	b.change("sh", "s1", from("out.txt", "", "built"))
	takes := b.TakeBack(folder, to, helper)
	require.Len(t, takes, 1)
	require.Equal(t, "out.txt", takes[0].Path)
	require.Empty(t, takes[0].Others)
}

func TestARewindTakesARecordOutAndItsOwnRewindPutsItBack(t *testing.T) {
	var b book
	b.prompt("r1", "one")
	second := b.prompt("r2", "two")
	b.seq++
	planned := b.seq
	back := b.say(root, "r2", lifecycle.Rewound{To: second, Conversation: true})
	third := b.prompt("r3", "three")
	require.True(t, b.Stood(planned, back))
	require.False(t, b.Stood(planned, third), "it is taken back")
	b.say(root, "r3", lifecycle.Rewound{To: back, Conversation: true})
	require.True(t, b.Stood(planned, b.seq+1), "that is taken back too")
}
