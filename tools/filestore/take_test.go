package filestore

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatAnotherStoreHasKeptIsTakenAsCheaply(t *testing.T) {
	far, near := New(filepath.Join(t.TempDir(), "far")), New(filepath.Join(t.TempDir(), "near"))
	defer near.Close()
	none, err := Pack(far.Folder())
	require.NoError(t, err)
	require.Nil(t, none)
	text := strings.Repeat("a line\n", 5000)
	want := map[string]string{}
	like := ""
	for i := range 50 {
		content := text + strings.Repeat("more\n", i)
		like, err = far.Keep([]byte(content), like)
		require.NoError(t, err)
		want[like] = content
	}
	require.NoError(t, far.Close())
	_, err = near.Keep([]byte(text), "")
	require.NoError(t, err)
	pack, err := Pack(far.Folder())
	require.NoError(t, err)
	defer pack.Close()
	for range 2 {
		require.NoError(t, near.Take(pack))
		for hash, content := range want {
			got, err := near.Read(hash)
			require.NoError(t, err)
			require.Equal(t, content, string(got))
		}
	}
	a, err := os.Stat(filepath.Join(far.Folder(), packName))
	require.NoError(t, err)
	b, err := os.Stat(filepath.Join(near.Folder(), packName))
	require.NoError(t, err)
	require.LessOrEqual(t, b.Size(), a.Size()+100)
}

func TestADamagedPackIsNotTaken(t *testing.T) {
	far, near := New(filepath.Join(t.TempDir(), "far")), New(filepath.Join(t.TempDir(), "near"))
	defer near.Close()
	first, err := far.Keep([]byte("first"), "")
	require.NoError(t, err)
	_, err = far.Keep([]byte("second"), "")
	require.NoError(t, err)
	require.NoError(t, far.Close())
	name := filepath.Join(far.Folder(), packName)
	good, err := os.ReadFile(name)
	require.NoError(t, err)
	for what, bad := range map[string]string{
		"another content": strings.Replace(string(good), "second", "sekond", 1),
		"another file":    "pawl files 9\n" + string(good[len(magic):]),
	} {
		require.NoError(t, os.WriteFile(name, []byte(bad), 0o600))
		pack, err := Pack(far.Folder())
		require.NoError(t, err)
		require.ErrorIs(t, near.Take(pack), ErrDamaged, what)
		require.NoError(t, pack.Close())
	}
	require.True(t, near.Has(first), "what came before it is kept")
}
