package tools

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/workspace"
)

func TestEditReplacesSeveralPiecesAtOnce(t *testing.T) {
	w := plant(t, "-- a.go --\npackage a\n\nfunc old() {}\n\nfunc other() { old() }\n")
	result := done(t, Edit(w), args{"path": "a.go", "edits": []args{
		{"old": "func old()", "new": "func fresh()"},
		{"old": "old()", "new": "fresh()"},
	}})
	require.Equal(t, "package a\n\nfunc fresh() {}\n\nfunc other() { fresh() }\n", held(t, w, "a.go"))
	require.Equal(t, "Edited a.go: 2 replacements at lines 3, 5 (+2 -2 lines).", result.Text)
	view := result.View.(agent.DiffView)
	require.Equal(t, "a.go", view.Path)
	require.Contains(t, view.Diff, "-func old() {}\n+func fresh() {}\n")
}

func TestEditIsAllOrNothing(t *testing.T) {
	w := plant(t, "-- a --\none\ntwo\n")
	text := refused(t, Edit(w), args{"path": "a", "edits": []args{{"old": "one", "new": "1"}, {"old": "three", "new": "3"}}})
	require.Contains(t, text, "a was not changed: edits[1].old is not in the file")
	require.Equal(t, "one\ntwo\n", held(t, w, "a"))
}

func TestEditRefusesStaleFiles(t *testing.T) {
	w := plant(t, "-- a --\none\n")
	done(t, Read(w), args{"path": "a"})
	put(t, w.Folder(), "a", "one and more\n")
	edit := args{"path": "a", "edits": []args{{"old": "one", "new": "1"}}}
	require.Contains(t, refused(t, Edit(w), edit), "a has changed since you read it, so nothing was written: read it again")
	done(t, Read(w), args{"path": "a"})
	done(t, Edit(w), edit)
	done(t, Edit(w), args{"path": "a", "edits": []args{{"old": "1", "new": "2"}}})
	require.Equal(t, "2 and more\n", held(t, w, "a"))
}

// A file that was touched but holds the same is not stale.
func TestEditLooksAtContentNotAtTime(t *testing.T) {
	w := plant(t, "-- a --\none\n")
	done(t, Read(w), args{"path": "a"})
	put(t, w.Folder(), "a", "one\n")
	done(t, Edit(w), args{"path": "a", "edits": []args{{"old": "one", "new": "1"}}})
}

func TestEditRefusesWhatIsNoText(t *testing.T) {
	w := plant(t, "-- main.go --\nx\n")
	put(t, w.Folder(), "a.bin", "x\x00y")
	edits := []args{{"old": "x", "new": "y"}}
	require.Contains(t, refused(t, Edit(w), args{"path": "a.bin", "edits": edits}), "edit takes text")
	require.Contains(t, refused(t, Edit(w), args{"path": "man.go", "edits": edits}), "man.go does not exist: did you mean main.go? (to make a new file use write)")
}

func TestEditRefusesHugeFiles(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "huge", string(make([]byte, workspace.MaxFile+1)))
	require.Contains(t, refused(t, Edit(w), args{"path": "huge", "edits": []args{{"old": "x", "new": "y"}}}), "takes files of up to 10.0 MB")
}
