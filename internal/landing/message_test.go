package landing

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestALongConflictIsSentBackWithWhatThereIsRoomFor(t *testing.T) {
	long := func(word string) string { return strings.Repeat(word+"\n", 12_000) }
	s := newScene(t, map[string]string{"a.txt": long("a"), "b.txt": "b\n"}).began()
	for name, text := range map[string]string{"a.txt": long("mine"), "b.txt": "mine\n"} {
		s.there(name, text)
		s.here(name, strings.ReplaceAll(text, "mine", "theirs"))
	}
	text, told, _, err := s.plan().Message()
	require.NoError(t, err)
	require.Less(t, len(text), longestMessage)
	require.Contains(t, text, "## a.txt\nboth sides changed line 1.\n\nPlace 1, at line 1 of the folder's file, and what follows are too long to be quoted here.\n")
	require.Contains(t, text, "In the folder now:\n```\ntheirs\n```")
	require.Contains(t, told, "b.txt")
	require.NotContains(t, told, "a.txt")
}

func TestALineOfEqualsSignsIsNoMarkOfGits(t *testing.T) {
	rule := strings.Repeat("=", 80)
	s := newScene(t, map[string]string{"notes.rst": "Title\n"}).began()
	s.there("notes.rst", "Mine\n"+rule+"\nmy text\n")
	s.here("notes.rst", "Theirs\n"+rule+"\ntheir text\n")
	f := s.file()
	require.Equal(t, Conflict, f.State)
	var folder, tree string
	for _, c := range f.Conflicts {
		folder, tree = folder+c.Folder, tree+c.Worktree
	}
	require.Contains(t, folder, "Theirs")
	require.Contains(t, folder, "their text")
	require.NotContains(t, folder, "Mine")
	require.NotContains(t, folder, "my text")
	require.NotContains(t, tree, "their")
}

func TestNothingLandsThatHasChangedSinceItWasSeen(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "twelve", "12"))
	f := s.file()
	pick := Pick{Path: "poem.txt", Hunks: []int{0}, Seen: &Sides{Before: f.Before, After: f.After}}
	s.there("poem.txt", replaced(poem, "one", "1", "twelve", "12"))
	_, err := Make(t.Context(), Source{Repository: s.repository(), Note: s.note, Scratch: t.TempDir()}, Choice{[]Pick{pick}})
	require.EqualError(t, err, "poem.txt has changed since you looked at it: look again")
	f = s.file()
	pick.Seen = &Sides{Before: f.Before, After: f.After}
	done := s.land(Wish{Choice: Choice{[]Pick{pick}}})
	require.NoError(t, done.err)
	s.holds("poem.txt", replaced(poem, "one", "1"))
}

// The files' journal goes first.
func TestACommitWhoseIndexIsNotBroughtAlongYetIsStillPending(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	_, pending := Pending(journal)
	require.False(t, pending)
	require.NoError(t, (&commit{Operation: lifecycle.NewOperationID(), Folder: "/src"}).note(journal))
	folder, pending := Pending(journal)
	require.True(t, pending)
	require.Equal(t, "/src", folder)
	require.NoError(t, os.WriteFile(filepath.Join(journal, commitNote), []byte("{"), 0o600))
	_, pending = Pending(journal)
	require.True(t, pending, "whoever ends it says that it cannot be read")
}
