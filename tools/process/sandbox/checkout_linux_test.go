package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file .git is what a command could write: it opens no folder that does not know of
// it.
func TestAFalseGitFileOpensNothing(t *testing.T) {
	folder, outside := twoFolders(t)
	for _, name := range []string{"HEAD", "objects/x", "refs/x", "commondir", "config"} {
		write(t, outside, name, "x")
	}
	write(t, outside, "worktrees/w/commondir", "../..\n")
	write(t, outside, "worktrees/w/gitdir", "/somewhere/else/.git\n")
	for _, said := range []string{outside, outside + "/worktrees/w", "../out", "../out/worktrees/w", "/", "", "\x00"} {
		write(t, folder, ".git", "gitdir: "+said+"\n")
		require.Equal(t, checkout{link: folder + "/.git"}, findCheckout(folder), said)
	}
	require.NoError(t, os.Remove(folder+"/.git"))
	require.NoError(t, os.Symlink(outside, folder+"/.git"))
	require.Equal(t, checkout{}, findCheckout(folder))
}

func TestASubmodulesGitFolderIsFound(t *testing.T) {
	folder, outside := twoFolders(t)
	for _, name := range []string{"HEAD", "objects/x", "refs/x"} {
		write(t, outside, "modules/in/"+name, "x")
	}
	write(t, outside, "modules/in/config", "[core]\n\tbare = false\n\tworktree = ../../../in\n")
	write(t, folder, ".git", "gitdir: ../out/modules/in\n")
	own := filepath.Join(outside, "modules/in")
	found := findCheckout(folder)
	require.Equal(t, checkout{link: folder + "/.git", own: own, common: own}, found)
	require.Equal(t, []string{own}, found.folders())
	require.Contains(t, strings.Join(found.frozen(nil), "\n"), own+"/hooks")
}
