package filestore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func packOf(s *Store) string { return filepath.Join(s.Folder(), packName) }

// cutAt leaves so many bytes of a pack, in a folder of its own.
func cutAt(t *testing.T, pack []byte, size int) *Store {
	t.Helper()
	s := openStore(t, filepath.Join(t.TempDir(), "session"))
	require.NoError(t, os.MkdirAll(s.Folder(), 0o700))
	require.NoError(t, os.WriteFile(packOf(s), pack[:size], 0o600))
	return s
}

func TestAPackThatWasCutAnywhereHoldsWhatWasWhole(t *testing.T) {
	s := newStore(t)
	first, second := "first\n", lines(15)
	third := strings.NewReplacer("line 2:", "line two:", "line 8:", "line eight:", "line 14:", "").Replace(second)
	var sizes []int64
	like := ""
	for _, content := range []string{first, second, third} {
		like = keep(t, s, content, like)
		sizes = append(sizes, packSize(t, s))
	}
	pack, err := os.ReadFile(packOf(s))
	require.NoError(t, err)
	for size := range pack {
		cut := cutAt(t, pack, size)
		whole := 0
		for i, content := range []string{first, second, third} {
			require.Equal(t, sizes[i] <= int64(size), cut.Has(Hash([]byte(content))), "%d bytes", size)
			if sizes[i] <= int64(size) {
				whole++
			}
		}
		like := ""
		for _, content := range []string{third, second, first} {
			like = keep(t, cut, content, like)
		}
		requireHeld(t, openStore(t, cut.Folder()), first, second, third)
		require.Len(t, openAll(t, cut.Folder()), 3)
		require.NoError(t, cut.Close())
	}
}

// What a power cut makes of bytes that were not synced may be anything, and nothing tells before they
// are read.
func TestADamagedContentIsAnErrorAndIsKeptAnewWhenItComesAgain(t *testing.T) {
	s := newStore(t)
	text := lines(10)
	before := keep(t, s, text, "")
	after := keep(t, s, text+"end\n", before)
	pack, err := os.OpenFile(packOf(s), os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = pack.WriteAt(make([]byte, 8), s.all[0].at+20)
	require.NoError(t, err)
	require.NoError(t, pack.Close())

	anew := openStore(t, s.Folder())
	for _, hash := range []string{before, after} {
		require.True(t, anew.Has(hash))
		_, err = anew.Read(hash)
		require.ErrorIs(t, err, ErrDamaged)
	}
	keep(t, anew, text+"end\n", before)
	keep(t, anew, text, "")
	requireHeld(t, anew, text, text+"end\n")
	requireHeld(t, openStore(t, s.Folder()), text, text+"end\n")
}

func TestAnotherProgramsFileIsNotTouched(t *testing.T) {
	s := newStore(t)
	require.NoError(t, os.MkdirAll(s.Folder(), 0o700))
	require.NoError(t, os.WriteFile(packOf(s), []byte("pawl files 3\nof a later version"), 0o600))
	_, err := s.Keep([]byte("a"), "")
	require.ErrorContains(t, err, "another version of Pawl")
	data, err := os.ReadFile(packOf(s))
	require.NoError(t, err)
	require.Equal(t, "pawl files 3\nof a later version", string(data))
}

func TestAFullDiskIsSaidInAFewWordsAndLosesNothing(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no device here that is always full:", err)
	}
	s := newStore(t)
	keep(t, s, "a", "")
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	require.NoError(t, err)
	defer full.Close()
	pack := s.file
	s.file = full
	err = s.append(entry{size: 1, stored: 1}, []byte("b"), resembled{})
	require.EqualError(t, plainCause(err), "no space left on device")
	s.file = pack
	keep(t, s, "c", "")
	requireHeld(t, openStore(t, s.Folder()), "a", "c")
}

func TestAChainOfEditsIsNoLongerThanCanBeReadInAMoment(t *testing.T) {
	s := newStore(t)
	s.deepest = 50
	text := lines(5)
	like := keep(t, s, text, "")
	for i := range s.deepest + 10 {
		text = strings.Replace(text, "line", fmt.Sprintf("line %d", i), 1+i%2)
		text = text[:len(text)-i%7]
		like = keep(t, s, text, like)
	}
	depth := 0
	for _, e := range s.all {
		depth = max(depth, e.depth)
	}
	require.Equal(t, s.deepest, depth)
	requireHeld(t, openStore(t, s.Folder()), text)
}

func TestAnnouncedChangesStandUntilTheyAreDone(t *testing.T) {
	s := newStore(t)
	none, err := s.Announced()
	require.NoError(t, err)
	require.Empty(t, none)
	done, err := s.Announce(Intent{Run: "r1"})
	require.NoError(t, err)
	_, err = s.Announce(Intent{Run: "r2"})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(s.Folder(), intentsName, "torn.json"), []byte(`{"run":"r3","ch`), 0o600))
	done()
	done()
	other := openStore(t, s.Folder())
	all, err := other.Announced()
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, intent := range all {
		require.Contains(t, []string{"r2", ""}, string(intent.Run))
		require.NoError(t, other.Forget(intent))
	}
	all, err = s.Announced()
	require.NoError(t, err)
	require.Empty(t, all)
}

func TestRemoveLeavesNothing(t *testing.T) {
	s := newStore(t)
	require.NoError(t, Remove(s.Folder()), "there is nothing yet")
	keep(t, s, "a", "")
	require.NoError(t, s.Close())
	require.NoError(t, Remove(s.Folder()))
	require.NoDirExists(t, s.Folder())
	require.False(t, s.Has(Hash([]byte("a"))))
	keep(t, s, "b", "")
	requireHeld(t, s, "b")
}

func TestNothingIsStoredAsLikeARecordThatIsGone(t *testing.T) {
	s := newStore(t)
	keep(t, s, "first", "")
	base := s.base(keep(t, s, lines(10), ""))
	require.True(t, s.stands(base))
	require.NoError(t, s.Close())
	require.NoError(t, Remove(s.Folder()))
	for _, content := range []string{"another", "and one more"} {
		keep(t, s, content, "")
		require.False(t, s.stands(base))
	}
}

func TestAPackOfVersion1IsReadAndAddedTo(t *testing.T) {
	pack, err := os.ReadFile("testdata/version1.pack")
	require.NoError(t, err)
	kept := []string{
		"first\n", lines(3), strings.Replace(lines(3), "line 1", "second line", 1),
		strings.Repeat("x", 10_000), strings.Repeat("x", 5000) + strings.Repeat("y", 1000) + strings.Repeat("x", 5000),
	}
	s := cutAt(t, pack, len(pack))
	requireHeld(t, s, kept...)
	like := keep(t, s, kept[2], "")
	data, err := os.ReadFile(packOf(s))
	require.NoError(t, err)
	require.Equal(t, oldMagic, string(data[:len(oldMagic)]), "nothing was added")
	keep(t, s, kept[2]+"more\n", like)
	data, err = os.ReadFile(packOf(s))
	require.NoError(t, err)
	require.Equal(t, magic, string(data[:len(magic)]), "an earlier version would cut off what it cannot read")
	requireHeld(t, openStore(t, s.Folder()), append(kept, kept[2]+"more\n")...)
	require.Len(t, openAll(t, s.Folder()), len(kept)+1)
}

func TestContentsWhoseKeysAreTheSameAreNotTakenForEachOther(t *testing.T) {
	s := newStore(t)
	keep(t, s, "one", "")
	two, err := nameOf(Hash([]byte("two")))
	require.NoError(t, err)
	s.index[two.key()] = 0 // as if they were
	keep(t, s, "two", "")
	requireHeld(t, s, "one", "two")
}
