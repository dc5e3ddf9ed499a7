package filestore

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newStore names a folder that is not there yet.
func newStore(t *testing.T) *Store {
	t.Helper()
	return openStore(t, filepath.Join(t.TempDir(), "files", "session"))
}

func openStore(t *testing.T, folder string) *Store {
	t.Helper()
	s := New(folder)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func keep(t *testing.T, s *Store, content, like string) string {
	t.Helper()
	hash, err := s.Keep([]byte(content), like)
	require.NoError(t, err)
	require.Equal(t, Hash([]byte(content)), hash)
	return hash
}

func requireHeld(t *testing.T, s *Store, contents ...string) {
	t.Helper()
	for _, content := range contents {
		held, err := s.Read(Hash([]byte(content)))
		require.NoError(t, err)
		require.True(t, content == string(held), "what was kept is read back")
	}
}

// packSize is how many bytes the store takes on the disk.
func packSize(t *testing.T, s *Store) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(s.Folder(), packName))
	require.NoError(t, err)
	return info.Size()
}

// lines is a text of some size, no two lines of which are alike.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d: %x\n", i, Hash(fmt.Append(nil, i))[:40])
	}
	return b.String()
}

func TestWhatWasKeptIsReadBackAlsoByAnotherStoreOfTheFolder(t *testing.T) {
	s := newStore(t)
	text := lines(100)
	changed := strings.Replace(text, "line 50:", "line fifty:", 1)
	kept := []string{"", "a", text, changed, text + "more", "before " + text, strings.Repeat("x", 100_000)}
	like := ""
	for _, content := range kept {
		like = keep(t, s, content, like)
		requireHeld(t, s, content)
	}
	requireHeld(t, openStore(t, s.Folder()), kept...)
	require.NoError(t, s.Sync())
	require.NoError(t, s.Close())
	requireHeld(t, s, kept...)
}

func TestTheSameContentIsStoredOnce(t *testing.T) {
	s := newStore(t)
	text := lines(1000)
	hash := keep(t, s, text, "")
	size := packSize(t, s)
	keep(t, s, text, "")
	keep(t, s, text, hash)
	keep(t, openStore(t, s.Folder()), text, "")
	require.Equal(t, size, packSize(t, s))
}

func TestNothingIsMadeBeforeThereIsSomethingToKeepAndThenItIsTheUsersAlone(t *testing.T) {
	s := newStore(t)
	_, err := s.Read(Hash([]byte("a")))
	require.ErrorIs(t, err, ErrNotKept)
	require.False(t, s.Has(Hash(nil)))
	require.False(t, s.Has("../etc/passwd"))
	require.NoError(t, s.Sync())
	require.NoDirExists(t, filepath.Dir(s.Folder()))
	keep(t, s, "a", "")
	for name, mode := range map[string]os.FileMode{filepath.Join(s.Folder(), packName): 0o600, s.Folder(): 0o700, filepath.Dir(s.Folder()): 0o700} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), name)
	}
}

func TestAStoreThatWasOpenForReadingKeepsToo(t *testing.T) {
	s := newStore(t)
	keep(t, s, "a", "")
	other := openStore(t, s.Folder())
	requireHeld(t, other, "a")
	keep(t, other, "b", "")
	requireHeld(t, s, "a", "b")
}

func TestWhatIsTooMuchIsRefusedAndLeavesNothing(t *testing.T) {
	s := newStore(t)
	s.most, s.room = 100, 300
	random := lines(100)
	_, err := s.Keep([]byte(random[:101]), "")
	require.ErrorIs(t, err, ErrTooLarge)
	require.NoDirExists(t, s.Folder())
	keep(t, s, random[:100], "")
	keep(t, s, random[100:200], "")
	size := packSize(t, s)
	hash, err := s.Keep([]byte(random[200:300]), "")
	require.ErrorIs(t, err, ErrFull)
	require.False(t, s.Has(hash))
	require.Equal(t, size, packSize(t, s))
	keep(t, s, "short", "")
	requireHeld(t, s, random[:100], random[100:200], "short")
}

func TestAThousandEditsTakeLittleMoreThanWhatTheyChange(t *testing.T) {
	s := newStore(t)
	text := []byte(lines(2000))
	like := keep(t, s, string(text), "")
	first, changed := packSize(t, s), 0
	for i := range 1000 {
		line := fmt.Sprintf("edit %4d of a line that is as long as lines of a program are\n", i)
		at := bytes.IndexByte(text[(i*7919)%(len(text)-100):], '\n') + (i*7919)%(len(text)-100) + 1
		end := at + bytes.IndexByte(text[at:], '\n') + 1
		changed += len(line)
		text = bytes.Join([][]byte{text[:at], []byte(line), text[end:]}, nil)
		like = keep(t, s, string(text), like)
	}
	require.Less(t, packSize(t, s)-first, int64(2*changed))
	require.NoError(t, s.Close())
	requireHeld(t, openStore(t, s.Folder()), string(text))
}
