package filestore

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// contentLike is a content that resembles another in one of the ways in which files do.
func contentLike(base []byte) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		piece := rapid.SliceOfN(rapid.SampledFrom([]byte("ab\n\r\x00\xff")), 0, 400)
		if len(base) == 0 || rapid.Bool().Draw(t, "new") {
			return slices.Repeat(piece.Draw(t, "piece"), rapid.IntRange(1, 20).Draw(t, "times"))
		}
		var content []byte
		done := 0
		for range rapid.IntRange(1, 5).Draw(t, "places") {
			from := rapid.IntRange(done, len(base)).Draw(t, "from")
			to := rapid.IntRange(from, len(base)).Draw(t, "to")
			content = slices.Concat(content, base[done:from], piece.Draw(t, "middle"))
			done = to
		}
		return append(content, base[done:]...)
	})
}

// kept is what a store should hold.
type kept struct {
	contents map[string][]byte
	hashes   []string
}

func (k *kept) add(hash string, content []byte) {
	if _, there := k.contents[hash]; !there {
		k.contents[hash] = content
		k.hashes = append(k.hashes, hash)
	}
}

func (k *kept) check(t *rapid.T, s *Store) {
	for hash, want := range k.contents {
		held, err := s.Read(hash)
		require.NoError(t, err)
		require.Equal(t, hash, Hash(held))
		require.Equal(t, len(want), len(held))
		require.True(t, s.Has(hash))
	}
}

// Whatever is kept is read back, through any of several stores of a folder, also after the last
// record was cut off anywhere and others were kept since.
func TestAnyContentsAreReadBackAfterAnyTornTail(t *testing.T) {
	parent := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp(parent, "store")
		require.NoError(t, err)
		folder = filepath.Join(folder, "session")
		stores := []*Store{New(folder), New(folder)}
		defer func() {
			for _, s := range stores {
				require.NoError(t, s.Close())
			}
		}()
		want := &kept{contents: map[string][]byte{}}
		one := rapid.SampledFrom([]int{0, 1})
		t.Repeat(map[string]func(*rapid.T){
			"keep": func(t *rapid.T) {
				like, base := "", []byte(nil)
				if len(want.hashes) > 0 && rapid.Bool().Draw(t, "like") {
					like = rapid.SampledFrom(want.hashes).Draw(t, "of")
					base = want.contents[like]
				}
				content := contentLike(base).Draw(t, "content")
				hash, err := stores[one.Draw(t, "by")].Keep(content, like)
				require.NoError(t, err)
				want.add(hash, content)
			},
			"reopen": func(t *rapid.T) {
				at := one.Draw(t, "which")
				require.NoError(t, stores[at].Sync())
				require.NoError(t, stores[at].Close())
				stores[at] = New(folder)
			},
			"torn tail": func(t *rapid.T) {
				torn := entry{size: 100, stored: 100}
				record := append(torn.header(), make([]byte, 100)...)
				cut := rapid.IntRange(1, len(record)-1).Draw(t, "cut")
				pack, err := os.OpenFile(filepath.Join(folder, packName), os.O_WRONLY|os.O_APPEND, 0)
				if errors.Is(err, os.ErrNotExist) {
					t.Skip("nothing is kept yet")
				}
				require.NoError(t, err)
				_, err = pack.Write(record[:cut])
				require.NoError(t, errors.Join(err, pack.Close()))
			},
			"": func(t *rapid.T) { want.check(t, stores[one.Draw(t, "with")]) },
		})
	})
}

func TestTwoStoresOfAFolderKeepAtTheSameTime(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "session")
	stores := []*Store{openStore(t, folder), openStore(t, folder)}
	const each = 200
	var all sync.WaitGroup
	for i, s := range stores {
		for part := range 2 {
			all.Go(func() {
				like := ""
				for n := range each {
					text := lines(n%20 + 1 + i + 2*part)
					hash, err := s.Keep([]byte(text), like)
					require.NoError(t, err)
					require.NoError(t, s.Sync())
					held, err := stores[1-i].Read(hash)
					require.NoError(t, err)
					require.Equal(t, text, string(held))
					like = hash
				}
			})
		}
	}
	all.Wait()
	require.Len(t, openAll(t, folder), 23, "each content is there once")
}

// openAll reads the records of a folder anew.
func openAll(t *testing.T, folder string) []entry {
	t.Helper()
	s := openStore(t, folder)
	require.False(t, s.Has(Hash([]byte("nobody keeps this"))))
	return s.all
}

// Whatever two contents are, the differences lead from one to the other.
func TestAnyDifferencesLeadFromOneContentToTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := contentLike(nil).Draw(t, "base")
		content := contentLike(base).Draw(t, "content")
		hunks, put := differences(base, content)
		require.LessOrEqual(t, len(hunks), maxHunks)
		var made []byte
		from := int64(0)
		for _, h := range hunks {
			made = append(append(made, base[from:from+h.same]...), put[:h.put]...)
			from, put = from+h.same+h.drop, put[h.put:]
		}
		require.Equal(t, string(content), string(append(made, base[from:]...)))
		require.Empty(t, put)
	})
}
