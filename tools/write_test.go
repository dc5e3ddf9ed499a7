package tools

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestWriteMakesAFileAndItsFolders(t *testing.T) {
	w := plant(t, "")
	result := done(t, Write(w), args{"path": "a/b/c.txt", "content": "one\ntwo\n"})
	require.Equal(t, "Made a/b/c.txt: 2 lines, 8 B (+2 -0 lines).", result.Text)
	require.Equal(t, agent.DiffView{
		Path: "a/b/c.txt", Added: 2, New: true,
		Diff: "--- a/a/b/c.txt\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
	}, result.View)
	require.Equal(t, "one\ntwo\n", held(t, w, "a/b/c.txt"))
	entries, err := os.ReadDir(filepath.Join(w.Folder(), "a/b"))
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file is left")
}

func TestWriteReplacesWhatWasRead(t *testing.T) {
	w := plant(t, "-- a.txt --\nold\n")
	require.Contains(t, refused(t, Write(w), args{"path": "a.txt", "content": "new\n"}), "you have not read it")
	done(t, Read(w), args{"path": "a.txt", "limit": 1})
	result := done(t, Write(w), args{"path": "a.txt", "content": "new\n"})
	require.Equal(t, "Replaced all of a.txt: 1 line, 4 B now (+1 -1 lines).", result.Text)
	done(t, Write(w), args{"path": "a.txt", "content": ""})
	require.Empty(t, held(t, w, "a.txt"), "what was written is known and may be replaced")
}

func TestWriteRefusesStaleFiles(t *testing.T) {
	w := plant(t, "-- a.txt --\nold\n")
	done(t, Read(w), args{"path": "a.txt"})
	put(t, w.Folder(), "a.txt", "theirs\n")
	require.Contains(t, refused(t, Write(w), args{"path": "a.txt", "content": "new\n"}), "has changed since you read it")
	require.Equal(t, "theirs\n", held(t, w, "a.txt"))
	done(t, Read(w), args{"path": "a.txt"})
	done(t, Write(w), args{"path": "a.txt", "content": "new\n"})
}

func TestWriteRefusesFolders(t *testing.T) {
	w := plant(t, "-- a/b.txt --\n")
	require.Contains(t, refused(t, Write(w), args{"path": "a", "content": ""}), "a is a folder")
	require.Contains(t, refused(t, Write(w), args{"path": "new/", "content": ""}), "names a folder")
	require.Contains(t, refused(t, Write(w), args{"path": ".", "content": ""}), "names a folder")
	require.Contains(t, refused(t, Write(w), args{"path": "a/b.txt/c", "content": ""}), "a part of its path is a file")
	require.Contains(t, refused(t, Write(w), args{"path": "x\ny", "content": ""}), "control characters")
}

func TestWriteThroughALinkKeepsTheLink(t *testing.T) {
	w := plant(t, "-- real.txt --\nold\n")
	require.NoError(t, os.Symlink("real.txt", filepath.Join(w.Folder(), "link")))
	done(t, Read(w), args{"path": "link"})
	done(t, Write(w), args{"path": "link", "content": "new\n"})
	require.Equal(t, "new\n", held(t, w, "real.txt"))
	target, err := os.Readlink(filepath.Join(w.Folder(), "link"))
	require.NoError(t, err)
	require.Equal(t, "real.txt", target)
}

// call makes an invocation that is asked about first and run then.
func call(t *testing.T, input args) agent.Invocation {
	t.Helper()
	raw, err := json.Marshal(input)
	require.NoError(t, err)
	return agent.Invocation{Call: "call", Input: raw}
}

func TestEffectShowsWhereThePathLeadsAndChangesNothing(t *testing.T) {
	w := plant(t, "-- .git/config --\nold\n")
	require.NoError(t, os.Symlink(".git/config", filepath.Join(w.Folder(), "harmless")))
	edit := call(t, args{"path": "harmless", "edits": []args{{"old": "old", "new": "new"}}})
	effect, err := Edit(w).Effect(t.Context(), edit)
	require.NoError(t, err)
	require.Equal(t, agent.Effect{Kind: agent.EffectEdit, Subject: ".git/config", View: agent.DiffView{
		Path: ".git/config", Added: 1, Removed: 1,
		Diff: "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-old\n+new\n",
	}}, effect)
	require.Equal(t, "old\n", held(t, w, ".git/config"))

	made := call(t, args{"path": "x/y", "content": "new"})
	effect, err = Write(w).Effect(t.Context(), made)
	require.NoError(t, err)
	require.Equal(t, "x/y", effect.Subject)
	require.NoDirExists(t, filepath.Join(w.Folder(), "x"))

	_, err = Edit(w).Effect(t.Context(), call(t, args{"path": "harmless", "edits": []args{{"old": "none", "new": "new"}}}))
	require.ErrorContains(t, err, "is not in the file")
	_, err = Write(w).Effect(t.Context(), call(t, args{"path": "harmless"}))
	require.ErrorContains(t, err, "content is missing")
}

// Two edits of one file in one step are both shown before either is made.
func TestCallsThatWereAllowedTogetherAreAllDone(t *testing.T) {
	w := plant(t, "-- a --\none\ntwo\n")
	calls := []agent.Invocation{
		call(t, args{"path": "a", "edits": []args{{"old": "one", "new": "1"}}}),
		call(t, args{"path": "a", "edits": []args{{"old": "two", "new": "2"}}}),
	}
	calls[1].Call = "another"
	for _, c := range calls {
		_, err := Edit(w).Effect(t.Context(), c)
		require.NoError(t, err)
	}
	for _, c := range calls {
		result := Edit(w).Run(t.Context(), c)
		require.False(t, result.IsError, result.Text)
	}
	require.Equal(t, "1\n2\n", held(t, w, "a"))
}

func TestWhatWasAllowedIsWhatIsDone(t *testing.T) {
	for name, meddle := range map[string]func(folder string) error{
		"content": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, "a"), []byte("old, theirs\n"), 0o644)
		},
		"link": func(folder string) error {
			if err := os.Remove(filepath.Join(folder, "a")); err != nil {
				return err
			}
			return os.Symlink(".git/config", filepath.Join(folder, "a"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := plant(t, "-- a --\nold\n-- .git/config --\nold\n")
			edit := call(t, args{"path": "a", "edits": []args{{"old": "old", "new": "new"}}})
			_, err := Edit(w).Effect(t.Context(), edit)
			require.NoError(t, err)
			require.NoError(t, meddle(w.Folder()))
			result := Edit(w).Run(t.Context(), edit)
			require.True(t, result.IsError)
			require.Contains(t, result.Text, "after this call was allowed")
			require.Equal(t, "old\n", held(t, w, ".git/config"))
		})
	}
}
