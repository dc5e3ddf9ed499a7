package app

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/ui/changes"
)

const (
	rootOfChanges lifecycle.SessionID = "root"
	childOfIt     lifecycle.SessionID = "child"
)

// changeBook is a log of changes as it is written, and what the files held.
type changeBook struct {
	t       *testing.T
	folder  string
	records []lifecycle.Record
	kept    *filestore.Store
}

func newChangeBook(t *testing.T) (*changeBook, *Changes) {
	b := &changeBook{t: t, folder: t.TempDir(), kept: filestore.New(t.TempDir())}
	t.Cleanup(func() { require.NoError(t, b.kept.Close()) })
	return b, NewChanges(rootOfChanges, b.folder, func(context.Context, lifecycle.SessionID) ([]lifecycle.Record, error) { return b.records, nil }, b.kept)
}

func (b *changeBook) say(session lifecycle.SessionID, run lifecycle.RunID, event lifecycle.Event) lifecycle.Seq {
	seq := lifecycle.Seq(len(b.records) + 1)
	b.records = append(b.records, lifecycle.Record{Seq: seq, Time: time.Unix(int64(seq), 0), Root: rootOfChanges, Session: session, Run: run, Event: event})
	return seq
}

func (b *changeBook) prompt(run lifecycle.RunID, text string) lifecycle.Seq {
	return b.say(rootOfChanges, run, lifecycle.Spawned{Spec: lifecycle.Spec{Root: rootOfChanges, Trigger: lifecycle.TriggerUser, From: lifecycle.FromUser, Prompt: text}})
}

func (b *changeBook) delegate(run lifecycle.RunID, spec lifecycle.Spec) {
	spec.Root, spec.Parent, spec.ParentRun, spec.From = rootOfChanges, rootOfChanges, "r1", lifecycle.FromAgent
	b.say(childOfIt, run, lifecycle.Spawned{Spec: spec})
}

// state keeps a content; without one there is no file.
func (b *changeBook) state(holds string) lifecycle.FileState {
	if holds == "" {
		return lifecycle.FileState{}
	}
	hash, err := b.kept.Keep([]byte(holds), "")
	require.NoError(b.t, err)
	return lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: hash, Size: int64(len(holds)), Mode: 0o644}
}

func (b *changeBook) change(path, before, after string) lifecycle.FileChange {
	return lifecycle.FileChange{Path: path, Before: b.state(before), After: b.state(after)}
}

func (b *changeBook) write(session lifecycle.SessionID, run lifecycle.RunID, files ...lifecycle.FileChange) lifecycle.Seq {
	return b.say(session, run, lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: b.folder, Files: files})
}

func titles(groups []changes.Group) (all []string) {
	for _, g := range groups {
		all = append(all, g.Title)
		for _, f := range g.Files {
			all = append(all, "  "+f.Path)
		}
	}
	return all
}

func TestChangesAreListedByPromptByRunAndByFile(t *testing.T) {
	b, c := newChangeBook(t)
	b.prompt("r1", "make it\nat once")
	b.write(rootOfChanges, "r1", b.change("b.go", "", "one\n"), b.change("a.go", "x\n", "y\n"))
	b.delegate("c1", lifecycle.Spec{Description: "fix the parser"})
	b.prompt("r2", "and that")
	b.write(childOfIt, "c1", b.change("a.go", "y\n", "z\n"))
	l, err := c.List(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"and that", "  a.go", "make it", "  a.go", "  b.go"}, titles(l.Groups[changes.ByPrompt]))
	require.Equal(t, []string{"fix the parser", "  a.go", "main agent · make it", "  a.go", "  b.go"}, titles(l.Groups[changes.ByRun]))
	require.Len(t, l.Groups[changes.ByFile], 1)
	whole := l.Groups[changes.ByFile][0].Files
	require.Equal(t, []changes.Writer{
		{Session: rootOfChanges, Run: "r1", Name: "main agent"}, {Session: childOfIt, Run: "c1", Name: "fix the parser"},
	}, whole[0].Writers)
	require.True(t, l.Groups[changes.ByRun][1].Files[0].Since, "another has changed it since")
	require.False(t, l.Groups[changes.ByRun][1].Files[1].Since)

	own, err := c.List(t.Context(), childOfIt)
	require.NoError(t, err)
	require.Equal(t, []string{"fix the parser", "  a.go"}, titles(own.Groups[changes.ByRun]))
	require.Equal(t, "fix the parser", own.Words)
}

func TestADiffSaysWhoWroteEachLine(t *testing.T) {
	b, c := newChangeBook(t)
	b.prompt("r1", "make it")
	b.delegate("c1", lifecycle.Spec{Description: "fix the parser"})
	b.write(rootOfChanges, "r1", b.change("a.go", "one\ntwo\n", "one\nTWO\n"))
	b.write(childOfIt, "c1", b.change("a.go", "one\nTWO\n", "TWO\nthree\n"))
	b.write(rootOfChanges, "r1", b.change("a.go", "somebody\nTWO\nthree\n", "somebody\nTWO\nthree\nfour\n"))
	l, err := c.List(t.Context(), "")
	require.NoError(t, err)
	file := l.Groups[changes.ByFile][0].Files[0]
	require.True(t, file.Since, "somebody else was at it")
	d, err := c.Diff(t.Context(), file.Which)
	require.NoError(t, err)
	require.Equal(t, 4, d.Added)
	require.Equal(t, 2, d.Removed)
	require.Equal(t, []int{-1, 0, 1, 0}, d.NewBy)
	require.Equal(t, []int{1, 0}, d.OldBy)
	require.Contains(t, d.Text, "+three\n")
}

// What a command changed is its agent's to answer for, what a person took back the main agent's.
func TestCommentsOnWhatACommandChangedGoToItsAgent(t *testing.T) {
	b, c := newChangeBook(t)
	b.prompt("r1", "make it")
	b.delegate("c1", lifecycle.Spec{Kind: lifecycle.KindShell, Description: "make all"})
	b.write(childOfIt, "c1", b.change("a.go", "", "one\n"))
	l, err := c.List(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, []changes.Writer{{Session: rootOfChanges, Run: "r1", Name: "main agent"}}, l.Groups[changes.ByFile][0].Files[0].Writers)
}

func TestWhatWasTakenBackOrLandedIsMarked(t *testing.T) {
	b, c := newChangeBook(t)
	first := b.prompt("r1", "make it")
	b.write(rootOfChanges, "r1", b.change("a.go", "x\n", "y\n"), b.change("b.go", "", "b\n"))
	b.delegate("c1", lifecycle.Spec{Description: "fix the parser"})
	b.say(childOfIt, "c1", lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/trees/1", Files: []lifecycle.FileChange{b.change("c.go", "", "c\n")}})
	b.say(childOfIt, "c1", lifecycle.Landed{Operation: "o1", Folder: b.folder, Worktree: "/trees/1", Files: []lifecycle.FileChange{b.change("c.go", "", "c\n")}})
	b.prompt("r2", "no")
	b.say(rootOfChanges, "r2", lifecycle.Rewound{Operation: "o2", To: first, Folder: b.folder, Files: []lifecycle.FileChange{b.change("a.go", "y\n", "x\n")}})
	l, err := c.List(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"fix the parser", "  c.go", "  c.go", "main agent · make it", "  a.go", "  b.go"}, titles(l.Groups[changes.ByRun]))
	own := l.Groups[changes.ByRun][1].Files
	require.True(t, own[0].TakenBack)
	require.False(t, own[1].TakenBack)
	for _, f := range l.Groups[changes.ByRun][0].Files {
		require.True(t, f.Landed, f.Folder)
	}
	require.NotContains(t, titles(l.Groups[changes.ByFile]), "  a.go", "it is as it was")
}

func TestADiffSaysWhyItHasNoLines(t *testing.T) {
	b, c := newChangeBook(t)
	b.prompt("r1", "make it")
	unknown := b.change("b", "x", "y")
	unknown.Before.Hash, unknown.Uncovered = "", "it is larger than 64 MB"
	lost := b.change("c", "x", "y")
	lost.After.Hash = filestore.Hash([]byte("what was never kept"))
	mode := b.change("d", "same", "same")
	mode.After.Mode = 0o755
	b.write(rootOfChanges, "r1", b.change("a", "\x00\x01", "\x00\x02\x03"), unknown, lost, mode)
	l, err := c.List(t.Context(), "")
	require.NoError(t, err)
	var why []string
	for _, f := range l.Groups[changes.ByFile][0].Files {
		d, err := c.Diff(t.Context(), f.Which)
		require.NoError(t, err)
		why = append(why, d.Why)
	}
	require.Equal(t, []string{
		"binary content is not shown: 2 B before, 3 B after",
		"what it held before is not known: it is larger than 64 MB",
		"what it held then is not known: it is not kept here",
		"its permissions were 644 and are 755 now",
	}, why)
}

func TestACommandOfWhichNothingIsKnownIsNamed(t *testing.T) {
	b, c := newChangeBook(t)
	b.prompt("r1", "make it")
	b.say(rootOfChanges, "r1", lifecycle.FilesChanged{By: lifecycle.ChangedByCommand, Folder: b.folder, Unwatched: "the folder has too many files"})
	l, err := c.List(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"a command of main agent: the folder has too many files"}, l.Unwatched)
	require.Empty(t, l.Groups[changes.ByFile])
}
