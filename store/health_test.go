package store

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	lc "pawl/lifecycle"
)

func TestTheHolderOfALockIsTheProcessThatLives(t *testing.T) {
	path := file(t)
	s := open(t, path)
	newJournal(t, "root").parent().into(s)
	reader, err := Open(t.Context(), path, Options{ReadOnly: true})
	require.NoError(t, err)
	defer reader.Close()
	holder := func() (int, bool) {
		pid, held, err := reader.Holder("root")
		require.NoError(t, err)
		return pid, held
	}

	_, held := holder()
	require.False(t, held, "nobody has ever held it")

	other := start(t, "lock", path)
	pid, held := holder()
	require.True(t, held)
	require.Equal(t, other.Process.Pid, pid)
	require.NoError(t, other.Process.Kill())
	require.Error(t, other.Wait())
	require.FileExists(t, s.lockPath("root"), "a dead process leaves its file")
	_, held = holder()
	require.False(t, held, "and the kernel has let go of it")

	release, err := s.Lock("root")
	require.NoError(t, err)
	pid, held = holder()
	require.True(t, held)
	require.Equal(t, os.Getpid(), pid)
	release()
	_, held = holder()
	require.False(t, held)
}

func TestHealthCountsWhatIsThere(t *testing.T) {
	path := file(t)
	s := open(t, path)
	j := story(t, s)
	reader, err := Open(t.Context(), path, Options{ReadOnly: true})
	require.NoError(t, err)
	defer reader.Close()
	h, err := reader.Health(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, h.Sessions)
	require.Equal(t, 4, h.Subagents)
	require.Equal(t, newestSchema(embedded), h.Schema)
	require.Positive(t, h.Size)
	require.Positive(t, h.Log, "a writer has it open")

	unended, err := reader.Unended(t.Context())
	require.NoError(t, err)
	require.Len(t, unended, 1)
	require.Equal(t, j.root, unended[0].Root)
	require.Equal(t, 1, unended[0].Runs, "the one that waits still")

	root, err := reader.RootOf(t.Context(), j.id("d"))
	require.NoError(t, err)
	require.Equal(t, j.root, root)
	root, err = reader.RootOf(t.Context(), lc.RunID("of another database"))
	require.NoError(t, err)
	require.Empty(t, root)
}
