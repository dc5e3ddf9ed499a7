package keys

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zalando/go-keyring"
)

// withRing returns a store whose key ring is the library's stand-in.
func withRing(t *testing.T) *Store {
	t.Helper()
	keyring.MockInit()
	s := New(t.TempDir(), true)
	s.ring.available = func() bool { return true }
	s.ring.read, s.ring.change = time.Minute, time.Minute // the stand-in answers, however slow the machine
	return s
}

func TestAKeyIsInTheKeyRingWhereThereIsOne(t *testing.T) {
	s := withRing(t)
	_, _, err := s.Get("provider:router")
	require.ErrorIs(t, err, ErrNone)
	place, without, err := s.Set("provider:router", "sk-one")
	require.NoError(t, err)
	require.Equal(t, Ring, place)
	require.Empty(t, without)
	key, place, err := s.Get("provider:router")
	require.NoError(t, err)
	require.Equal(t, "sk-one", key)
	require.Equal(t, Ring, place)
	text, err := os.ReadFile(s.file.path)
	require.NoError(t, err)
	require.NotContains(t, string(text), "sk-one")
	require.True(t, s.Has("provider:router"))
	require.False(t, s.Has("provider:other"))
	require.NoError(t, s.Remove("provider:router"))
	require.ErrorIs(t, s.Remove("provider:router"), ErrNone)
	_, _, err = s.Get("provider:router")
	require.ErrorIs(t, err, ErrNone)
}

func TestWithoutAKeyRingAKeyIsInAFileOfItsOwner(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	s := New(folder, false)
	place, without, err := s.Set("mcp:docs", "line one\nline \"two\"")
	require.NoError(t, err)
	require.Equal(t, "the file "+File(folder), place)
	require.Empty(t, without)
	info, err := os.Stat(File(folder))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	key, _, err := New(folder, false).Get("mcp:docs")
	require.NoError(t, err)
	require.Equal(t, "line one\nline \"two\"", key)
	require.NoError(t, s.Remove("mcp:docs"))
	require.ErrorIs(t, s.Remove("mcp:docs"), ErrNone)
}

func TestAKeyRingThatFailsLeavesTheKeyToTheFile(t *testing.T) {
	s := withRing(t)
	keyring.MockInitWithError(errors.New("the collection is locked"))
	place, without, err := s.Set("provider:router", "sk-two")
	require.NoError(t, err)
	require.Equal(t, s.file.place(), place)
	require.Contains(t, without, "the collection is locked")
	key, _, err := s.Get("provider:router")
	require.NoError(t, err)
	require.Equal(t, "sk-two", key)
	require.NoError(t, s.Remove("provider:router"), "the key ring has nothing")
}

func TestWhatMayStillBeInAKeyRingIsSaid(t *testing.T) {
	s := withRing(t)
	_, _, err := s.Set("provider:router", "old, in the ring")
	require.NoError(t, err)
	keyring.MockInitWithError(errors.New("the collection is locked"))
	_, _, err = s.Set("provider:router", "new")
	require.NoError(t, err)
	require.ErrorContains(t, s.Remove("provider:router"), "may still be in the system's key ring")
	require.False(t, s.Has("provider:router"))
}

func TestTheNewestOfTwoPlacesCounts(t *testing.T) {
	s := withRing(t)
	_, _, err := s.Set("provider:router", "old, in the ring")
	require.NoError(t, err)
	require.NoError(t, s.file.set("provider:router", "new, kept while the ring was locked"))
	key, _, err := s.Get("provider:router")
	require.NoError(t, err)
	require.Equal(t, "new, kept while the ring was locked", key)
	_, _, err = s.Set("provider:router", "newest")
	require.NoError(t, err)
	key, place, err := s.Get("provider:router")
	require.NoError(t, err)
	require.Equal(t, "newest", key)
	require.Equal(t, Ring, place)
	require.NoError(t, s.Remove("provider:router"))
	_, _, err = s.Get("provider:router")
	require.ErrorIs(t, err, ErrNone)
}

func TestAKeyRingThatNeverAnswersIsWaitedForOnce(t *testing.T) {
	s := New(t.TempDir(), true)
	s.ring.available = func() bool { return true }
	never := make(chan struct{})
	defer close(never)
	_, err := s.ring.within(time.Millisecond, func() (string, error) { <-never; return "", nil })
	require.ErrorContains(t, err, "did not answer within 1ms")
	place, without, err := s.Set("provider:router", "sk-three") // would reach a real key ring otherwise
	require.NoError(t, err)
	require.Equal(t, s.file.place(), place)
	require.Contains(t, without, "did not answer")
	key, _, err := s.Get("provider:router")
	require.NoError(t, err)
	require.Equal(t, "sk-three", key)
}

func TestWithoutADesktopSessionNothingIsAskedFor(t *testing.T) {
	s := New(t.TempDir(), true)
	s.ring.available = func() bool { return false }
	_, _, err := s.Get("provider:router")
	require.ErrorIs(t, err, ErrNone)
	_, without, err := s.Set("provider:router", "k")
	require.NoError(t, err)
	require.Contains(t, without, "there is no key ring here")
	require.NoError(t, s.Remove("provider:router"))
	require.ErrorIs(t, s.Remove("provider:router"), ErrNone)
}

func TestAFileThatOthersCanReadOrThatIsBrokenIsSaidInOneLine(t *testing.T) {
	s := New(t.TempDir(), false)
	require.NoError(t, os.WriteFile(s.file.path, []byte(`{"a": "b"}`), 0o644)) //nolint:gosec // that is the case
	_, _, err := s.Get("a")
	require.ErrorContains(t, err, "chmod 600")
	for _, text := range []string{`{"keys": `, `["a"]`, `{"keys": {"a": 1}}`} {
		require.NoError(t, os.Remove(s.file.path))
		require.NoError(t, os.WriteFile(s.file.path, []byte(text), 0o600))
		_, _, err := s.Get("a")
		require.ErrorContains(t, err, "pawl login", text)
		require.False(t, strings.Contains(err.Error(), "\n"))
		_, _, err = s.Set("a", "c")
		require.ErrorContains(t, err, "pawl login", "never replaces what it cannot read")
	}
}

func TestManyProcessesKeepTheirKeysAtOnce(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		all.Go(func() {
			_, _, err := New(folder, false).Set(name, "key of "+name)
			require.NoError(t, err)
		})
	}
	all.Wait()
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		key, _, err := New(folder, false).Get(name)
		require.NoError(t, err)
		require.Equal(t, "key of "+name, key)
	}
}
