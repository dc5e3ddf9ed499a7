package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Git was seen to print the text of such a file: in an error, in a list, or as a change.
func TestACheckoutThatLeadsGitToOtherFilesIsNotEnclosed(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	link := func(name string) func(t *testing.T, folder string) {
		return func(t *testing.T, folder string) {
			t.Helper()
			path := filepath.Join(folder, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			_ = os.Remove(path)
			require.NoError(t, os.Symlink(secret, path))
		}
	}
	text := func(name, text string) func(t *testing.T, folder string) {
		return func(t *testing.T, folder string) { t.Helper(); put(t, folder, name, text) }
	}
	another, _ := committed(t)
	other := filepath.Join(another.Folder, ".git")
	for name, change := range map[string]func(t *testing.T, folder string){
		"objects from a link":           link(".git/objects/info/alternates"),
		"ignored names from a link":     link(".git/info/exclude"),
		"the steps of a rebase":         link(".git/rebase-merge/done"),
		"a list of references":          link(".git/packed-refs"),
		"a worktree's place":            link(".git/worktrees/x/gitdir"),
		"another worktree":              text(".git/config", "[core]\nworktree = ../..\n"),
		"one of its own worktree alone": text(".git/config.worktree", "[core]\nworktree = "+filepath.Dir(secret)+"\n"),
		"one in a config that it includes": func(t *testing.T, folder string) {
			t.Helper()
			put(t, folder, ".git/config", "[include]\npath = more\n")
			put(t, folder, ".git/more", "[core]\nworktree = ../..\n")
		},
		"commits to leave out": text(".git/config", "[blame]\nignoreRevsFile = "+secret+"\n"),
		"the same by a link": func(t *testing.T, folder string) {
			t.Helper()
			put(t, folder, ".git/config", "[blame]\nignoreRevsFile = revs\n")
			require.NoError(t, os.Symlink(secret, filepath.Join(folder, "revs")))
		},
		"the folder of another checkout": text(".git/commondir", other+"\n"),
		"a .git that names another": func(t *testing.T, folder string) {
			t.Helper()
			require.NoError(t, os.RemoveAll(filepath.Join(folder, ".git")))
			put(t, folder, ".git", "gitdir: "+other+"\n")
		},
		"objects of objects from a link": func(t *testing.T, folder string) {
			t.Helper()
			put(t, folder, ".git/objects/info/alternates", "../../others\n")
			link("others/info/alternates")(t, folder)
		},
		"a reference":                    link(".git/refs/heads/topic"),
		"words that are no attributes":   text(".git/config", "[core]\nattributesFile = "+secret+"\n"),
		"a worktree in a folder named ~": text(".git/config", "[core]\nworktree = ~/x\n"),
		"a .git that git passes over":    text(".git/HEAD", "none\n"),
		"a .git with a blank at its end": func(t *testing.T, folder string) {
			t.Helper()
			require.NoError(t, os.Rename(filepath.Join(folder, ".git"), filepath.Join(folder, "real")))
			plainly(t, folder, "--git-dir=real", "config", "core.worktree", "..")
			put(t, folder, ".git", "gitdir: real\n")
			require.True(t, Look(folder).Enclosed())
			put(t, folder, ".git", "gitdir: real \n")
		},
		"a commondir that is too long to read": text(".git/commondir", "real"+strings.Repeat("\n", longestFile+1)),
		"a remote in a file":                   link(".git/branches/topic"),
		"a list of commit graphs":              link(".git/objects/info/commit-graphs/commit-graph-chain"),
		"objects that are quoted":              text(".git/objects/info/alternates", "\"../../others\"\n"),
		"attributes of somebody else":          text(".git/config", "[core]\nattributesFile = ~root/x\n"),
		"attributes of git's prefix":           text(".git/config", "[core]\nattributesFile = %(prefix)/x\n"),
		"a .git that goes up behind a name": func(t *testing.T, folder string) {
			t.Helper()
			require.NoError(t, os.Rename(filepath.Join(folder, ".git"), filepath.Join(folder, "real")))
			plainly(t, folder, "--git-dir=real", "config", "core.worktree", "..")
			put(t, folder, ".git", "gitdir: sub/../real\n")
		},
		"a .git that is a link": func(t *testing.T, folder string) {
			t.Helper()
			require.NoError(t, os.RemoveAll(filepath.Join(folder, ".git")))
			require.NoError(t, os.Symlink(other, filepath.Join(folder, ".git")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := committed(t)
			require.True(t, Look(r.Folder).Enclosed())
			change(t, r.Folder)
			require.False(t, Look(r.Folder).Enclosed())
		})
	}
}

func TestWorktreesAndSubmodulesThatGitMadeAreEnclosed(t *testing.T) {
	require.True(t, Look(t.TempDir()).Enclosed(), "no checkout")
	inner, _ := committed(t)
	outer, _ := committed(t)
	plainly(t, outer.Folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.Folder, "in")
	commit(t, outer.Folder)
	tree := filepath.Join(t.TempDir(), "tree")
	plainly(t, outer.Folder, "worktree", "add", "--quiet", tree)
	plainly(t, outer.Folder, "config", "core.worktree", outer.Folder)
	put(t, outer.Folder, ".git-blame-ignore-revs", "")
	plainly(t, outer.Folder, "config", "blame.ignoreRevsFile", ".git-blame-ignore-revs")
	for _, folder := range []string{outer.Folder, filepath.Join(outer.Folder, "in"), tree} {
		found := Look(folder)
		require.True(t, found.Enclosed(), folder)
		require.Empty(t, found.Says, folder)
	}
}

// What git finds further up, or in a folder that is a bare repository for it, is another checkout.
func TestAFolderThatGitPassesOverIsNotEnclosed(t *testing.T) {
	r, _ := committed(t)
	require.True(t, Look(filepath.Join(r.Folder, "sub")).Enclosed())
	require.NoError(t, os.Mkdir(filepath.Join(r.Folder, "sub/.git"), 0o700))
	require.False(t, Look(filepath.Join(r.Folder, "sub")).Enclosed())
	put(t, r.Folder, "HEAD", "")
	require.False(t, Look(r.Folder).Enclosed(), "it may be one by itself, where git passes over its .git")
	bare := t.TempDir()
	put(t, bare, "HEAD", "ref: refs/heads/main\n")
	put(t, bare, "commondir", "gd\n")
	put(t, bare, "gd/config", "[core]\nfsmonitor = ./evil\n")
	require.NoError(t, os.Mkdir(filepath.Join(bare, "src"), 0o700))
	found := Look(filepath.Join(bare, "src"))
	require.False(t, found.Enclosed())
	require.Equal(t, []string{"core.fsmonitor = ./evil"}, found.Says)
}

func TestASubmoduleThatIsGoneLeavesACheckoutEnclosed(t *testing.T) {
	inner, _ := committed(t)
	outer, _ := committed(t)
	plainly(t, outer.Folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.Folder, "in")
	commit(t, outer.Folder)
	plainly(t, outer.Folder, "rm", "-q", "in")
	commit(t, outer.Folder)
	found := Look(outer.Folder)
	require.True(t, found.Enclosed())
	require.Empty(t, found.Says)
	plainly(t, outer.Folder, "config", "-f", ".git/modules/in/config", "core.worktree", "../../../..")
	require.False(t, Look(outer.Folder).Enclosed())
}

func TestASubmoduleOfASubmoduleIsEnclosed(t *testing.T) {
	inner, _ := committed(t)
	middle, _ := committed(t)
	outer, _ := committed(t)
	for _, r := range []struct{ in, of string }{{inner.Folder, middle.Folder}, {middle.Folder, outer.Folder}} {
		plainly(t, r.of, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.in, "in")
		commit(t, r.of)
	}
	plainly(t, outer.Folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	for _, folder := range []string{"", "in", "in/in"} {
		found := Look(filepath.Join(outer.Folder, folder))
		require.True(t, found.Enclosed(), folder)
		require.Empty(t, found.Says, folder)
	}
}
