//go:build unix

package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The environment that a project sets up puts programs of the folder in front: whoever may
// write files there would say what ls is.
func TestAProgramOfTheFolderIsNotTakenForOneThatOnlyReads(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	r := rules{Folder: folder}
	for _, dir := range []string{folder, elsewhere} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "rg"), []byte("#!/bin/sh\n"), 0o700))
	}
	t.Chdir(folder)
	link := filepath.Join(elsewhere, "link")
	require.NoError(t, os.Symlink(folder, link))
	for path, foreign := range map[string]bool{
		elsewhere: true, elsewhere + ":" + folder: true, "/nowhere": true,
		folder: false, folder + ":" + elsewhere: false, link: false, ".": false, ":" + elsewhere: false,
	} {
		t.Setenv("PATH", path)
		require.Equal(t, foreign, r.foreign("rg"), path)
	}
}
