package rewind

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/lifecycle/files"
)

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func holding(text string) lifecycle.FileState {
	return lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: hashOf([]byte(text)), Size: int64(len(text)), Mode: 0o644}
}

// disk is a folder in memory: what stands at each path.
func disk(now map[string]lifecycle.FileState, kept ...string) Disk {
	return Disk{
		Read: func(path string) (lifecycle.FileState, error) {
			if path == "odd" {
				return lifecycle.FileState{}, errors.New("a folder stands in its place")
			}
			return now[path], nil
		},
		Has: func(hash string) bool {
			for _, text := range kept {
				if hashOf([]byte(text)) == hash {
					return true
				}
			}
			return false
		},
	}
}

func TestEachFileIsPutBackOrLeftForAReason(t *testing.T) {
	was, is := holding("was"), holding("is")
	takes := []files.Take{
		{Path: "back", Want: was, Expect: is},
		{Path: "so", Want: was, Expect: is},
		{Path: "new", Want: lifecycle.FileState{}, Expect: is},
		{Path: "edited", Want: was, Expect: is},
		{Path: "mixed", Want: was, Expect: is, Others: "changed since by another agent"},
		{Path: "large", Want: was, Expect: is, Uncovered: "too large"},
		{Path: "lost", Want: holding("lost"), Expect: is},
		{Path: "odd", Want: was, Expect: is},
		{Path: "huge", Want: was, Expect: is},
		{Path: `"new-\xff"`, Expect: is, Uncovered: lifecycle.Nameless},
	}
	now := map[string]lifecycle.FileState{"back": is, "so": was, "new": is, "edited": holding("mine"), "mixed": is, "large": is, "lost": is, "huge": {Kind: lifecycle.FileRegular, Size: 1 << 30}}
	p := Make("/src", 3, "", takes, disk(now, "was"))
	var got []string
	for _, f := range p.Files {
		got = append(got, strings.TrimSpace(f.Path+" "+string(f.State)+" "+f.Why))
	}
	require.Equal(t, []string{
		"back back", "so already", "new back", "edited left changed since by somebody else", "mixed left changed since by another agent",
		"large cannot too large", "lost cannot what it held before is not kept", "odd cannot a folder stands in its place", "huge cannot what stands there is too large to be kept",
		`"new-\xff" cannot its name is not UTF-8`,
	}, got)
	require.Equal(t, "2 files to put back, 1 file so already, 2 files left as changed by others, 5 files that cannot be put back", p.Says())
	require.Len(t, p.Skipped(), 7)
	require.Equal(t, []lifecycle.FileChange{{Path: "back", Before: is, After: was}, {Path: "new", Before: is}}, p.Changes())
}

func TestAFileThatOthersChangedIsPutBackIfItIsChosen(t *testing.T) {
	takes := []files.Take{{Path: "edited", Want: holding("was"), Expect: holding("is")}, {Path: "large", Want: holding("was"), Expect: holding("is"), Uncovered: "too large"}}
	p := Make("/src", 3, "", takes, disk(map[string]lifecycle.FileState{"edited": holding("mine")}, "was"))
	chosen, err := p.With([]string{"edited"})
	require.NoError(t, err)
	require.Equal(t, []lifecycle.FileChange{{Path: "edited", Before: holding("mine"), After: holding("was")}}, chosen.Changes())
	require.Empty(t, p.Changes(), "the plan itself is as it was")
	_, err = p.With([]string{"large"})
	require.EqualError(t, err, "large cannot be put back: too large")
	_, err = p.With([]string{"editde"})
	require.EqualError(t, err, `no file "editde" would be taken back; did you mean "edited"?`)
}

func TestPointsSayHowManyFilesWereChangedSince(t *testing.T) {
	var log files.Log
	add := func(seq lifecycle.Seq, event lifecycle.Event) {
		log.Apply(lifecycle.Record{Seq: seq, Root: "r", Session: "r", Run: lifecycle.RunID("r1"), Event: event})
	}
	prompt := lifecycle.Spec{Root: "r", Prompt: "go", From: lifecycle.FromUser, Trigger: lifecycle.TriggerUser}
	changed := func(paths ...string) lifecycle.FilesChanged {
		c := lifecycle.FilesChanged{By: lifecycle.ChangedByTool, Folder: "/src"}
		for _, path := range paths {
			c.Files = append(c.Files, lifecycle.FileChange{Path: path})
		}
		return c
	}
	add(1, lifecycle.Spawned{Spec: prompt})
	add(2, changed("a", "b"))
	add(3, lifecycle.Spawned{Spec: prompt})
	add(4, changed("b", "c"))
	add(5, lifecycle.Spawned{Spec: prompt})
	var got []int
	for _, p := range Points(&log, "/src") {
		got = append(got, p.Changed)
	}
	require.Equal(t, []int{0, 2, 3}, got)
}

func TestTheModelIsToldWhatAffectsIt(t *testing.T) {
	run := func(id lifecycle.SessionID, state lifecycle.State) lifecycle.Run {
		return lifecycle.Run{ID: lifecycle.RunID(id), Session: id, Spec: lifecycle.Spec{Parent: "r", Type: "general", Description: string(id)}, State: state}
	}
	shell := func(id lifecycle.SessionID, parent lifecycle.SessionID) lifecycle.Run {
		return lifecycle.Run{ID: lifecycle.RunID(id), Session: id, Spec: lifecycle.Spec{Root: "r", Parent: parent, Kind: lifecycle.KindShell, Command: "make all"}, State: lifecycle.StateCompleted}
	}
	runs := []lifecycle.Run{
		run("before", lifecycle.StateCompleted), run("across", lifecycle.StateCompleted), run("after", lifecycle.StateCompleted), run("open", lifecycle.StateRunning),
		shell("build", "r"), shell("another's", "across"),
	}
	began := map[lifecycle.RunID]lifecycle.Seq{"before": 3, "across": 5, "after": 150, "open": 155, "build": 6, "another's": 7}
	past := Past{func(run lifecycle.RunID) lifecycle.Seq { return began[run] }, map[lifecycle.RunID]bool{"across": true, "after": true, "build": true, "another's": true}}
	text := Tell(lifecycle.Rewound{To: 100, Conversation: true, Files: []lifecycle.FileChange{{Path: "a.go"}}, Skipped: []lifecycle.SkippedFile{{Path: "b.go", Why: changedSince}}}, true, past, runs)
	require.Contains(t, text, "put back to what they held here: a.go.")
	require.Contains(t, text, "Left as they are: b.go (changed since by somebody else).")
	require.Contains(t, text, `agent_id across, type general, "across": completed`)
	require.Contains(t, text, `agent_id open`)
	require.Contains(t, text, `shell_id build, "make all": completed`)
	require.NotContains(t, text, "shell_id another's")
	require.NotContains(t, text, "agent_id before")
	require.NotContains(t, text, "agent_id after")
	require.Contains(t, Tell(lifecycle.Rewound{Conversation: true}, false, past, nil), "The files were not taken back")
	require.Contains(t, Tell(lifecycle.Rewound{Prompt: "go", Files: []lifecycle.FileChange{{Path: "a.go"}}}, true, past, runs), `before the message "go": a.go. What was changed`)
	many := make([]lifecycle.FileChange, 500)
	require.Less(t, len(Tell(lifecycle.Rewound{Conversation: true, Files: many}, true, past, nil)), 600)
}
