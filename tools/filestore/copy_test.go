package filestore

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACopyHoldsWhatWasKeptAndGoesItsOwnWay(t *testing.T) {
	s := newStore(t)
	like := keep(t, s, lines(10), "")
	keep(t, s, lines(10)+"end\n", like)
	_, err := s.Announce(Intent{Run: "r1"})
	require.NoError(t, err)
	folder := filepath.Join(t.TempDir(), "above", "fork")
	require.NoError(t, Copy(s.Folder(), folder))
	fork := openStore(t, folder)
	requireHeld(t, fork, lines(10), lines(10)+"end\n")
	announced, err := fork.Announced()
	require.NoError(t, err)
	require.Empty(t, announced, "it is the other session that makes that change")

	keep(t, fork, "fork\n", "")
	keep(t, s, "original\n", "")
	require.False(t, s.Has(Hash([]byte("fork\n"))))
	require.False(t, fork.Has(Hash([]byte("original\n"))))
	require.NoError(t, Remove(s.Folder()))
	requireHeld(t, openStore(t, folder), lines(10), "fork\n")
	require.Error(t, Copy(folder, folder), "nothing is overwritten")
}

func TestNothingIsMadeWhereNothingWasKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "fork")
	require.NoError(t, Copy(filepath.Join(t.TempDir(), "none"), folder))
	require.NoDirExists(t, folder)
}
