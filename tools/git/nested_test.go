package git

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// plant puts a repository into a folder of another, one whose filter and file watcher are
// a program, and which is changed so that git would ask them.
func plant(t *testing.T, top, name, program string) {
	t.Helper()
	sub := filepath.Join(top, name)
	require.NoError(t, os.MkdirAll(sub, 0o700))
	plainly(t, sub, "init", "-q", ".")
	put(t, sub, "a.txt", "one\n")
	commit(t, sub)
	put(t, sub, ".gitattributes", "* filter=evil\n")
	put(t, sub, "a.txt", "ONE\n")
	plainly(t, sub, "config", "filter.evil.clean", program)
	plainly(t, sub, "config", "core.fsmonitor", program)
}

// What git does with the repository is tried, so that the test does not outlive its reason.
func TestARepositoryThatTheIndexNamesIsSeenInEveryFormat(t *testing.T) {
	for name, settings := range map[string][]string{
		"version 2": nil, "version 3": nil, "version 4": {"index.version", "4"}, "in two files": {"core.splitIndex", "true"},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := committed(t)
			program, mark := marking(t)
			if settings != nil {
				plainly(t, r.Folder, "config", settings[0], settings[1])
			}
			put(t, r.Folder, "more/a-longer-name-of-a-file.go", "x\n")
			plainly(t, r.Folder, "add", ".")
			if name == "version 3" {
				put(t, r.Folder, "later.go", "x\n")
				plainly(t, r.Folder, "add", "-N", "later.go")
			}
			require.Equal(t, name == "in two files", Look(r.Folder).Submodules(), "further entries may be anywhere")
			plant(t, r.Folder, "nested", program)
			require.Equal(t, name == "in two files", Look(r.Folder).Submodules(), "git does not look into what the index does not name")
			_ = os.Remove(mark) // git's own look into it, as it was made
			plainly(t, r.Folder, "status")
			require.NoFileExists(t, mark)
			plainly(t, r.Folder, "add", "nested")
			require.True(t, Look(r.Folder).Submodules())
			plainly(t, r.Folder, "status")
			require.FileExists(t, mark, "git starts its program")
		})
	}
	require.False(t, Look(t.TempDir()).Submodules())
}

func TestAnIndexThatCannotBeReadMayNameARepository(t *testing.T) {
	r, _ := committed(t)
	path := filepath.Join(r.Folder, ".git", "index")
	index, err := os.ReadFile(path)
	require.NoError(t, err)
	require.False(t, namesRepository(index))
	for length := range bytes.Index(index, []byte("TREE")) + hashSize { // all entries are in front of it
		require.True(t, namesRepository(index[:length]), "cut at %d", length)
	}
	require.NoError(t, os.Remove(path))
	require.False(t, Look(r.Folder).Submodules(), "before the first git add there is none")
	require.NoError(t, os.Mkdir(path, 0o700))
	require.True(t, Look(r.Folder).Submodules())
	other := t.TempDir()
	plainly(t, other, "init", "-q", "--object-format=sha256", ".")
	put(t, other, "a", "x")
	plainly(t, other, "add", ".")
	require.True(t, Look(other).Submodules())
}

// git reads entries that it would not make: as long as their flags say, and of files elsewhere.
func TestAnIndexThatGitWouldNotWriteMayNameARepository(t *testing.T) {
	r, _ := committed(t)
	index, err := os.ReadFile(filepath.Join(r.Folder, ".git", "index"))
	require.NoError(t, err)
	named := func(name string) []byte { // in place of a name of the same length
		require.Equal(t, 1, bytes.Count(index, []byte("sub/deep.go\x00")))
		return bytes.Replace(index, []byte("sub/deep.go\x00"), []byte(name+"\x00"), 1)
	}
	require.False(t, namesRepository(named("sub/deep.gx")))
	for _, name := range []string{"../deep.txt", "/etc/passwd", "sub/../x.go", "sub//eep.go", "sub/.git/xy", "sub/.GIT/xy", "./b/deep.go"} {
		require.Len(t, name, len("sub/deep.go"))
		require.True(t, namesRepository(named(name)), name)
	}
	at := bytes.Index(index, []byte("sub/deep.go\x00")) - flagsAt - 2 + modeAt
	folder := bytes.Clone(index)
	copy(folder[at:], []byte{0, 0, 0o100, 0}) // for git a folder of a sparse index, whatever its name
	require.True(t, namesRepository(folder))
	require.True(t, namesRepository(named("sub\x00deep.go")), "the flags say more than the name has")
}

// git add takes a nested repository into the index, and git commit -a looks into it then.
func TestAWorktreeWithANestedRepositoryIsNotSealed(t *testing.T) {
	r, f := committed(t)
	program, mark := marking(t)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	environ, err := Seal(path, "pawl/tree", r.Checkout.Common())
	require.NoError(t, err)
	plant(t, path, "deep/nested", program)
	_ = os.Remove(mark)
	_, err = Seal(path, "pawl/tree", r.Checkout.Common())
	require.ErrorContains(t, err, "there is another repository in it, in "+filepath.Join(path, "deep/nested"))
	says, _ := sealed(t, environ, path, "git add -A && touch deep/nested/a.txt && git add -A")
	require.FileExists(t, mark, "the seal alone does not keep git out: %s", says)
	require.NoError(t, os.Rename(filepath.Join(path, "deep"), filepath.Join(t.TempDir(), "deep")))
	_, err = Seal(path, "pawl/tree", r.Checkout.Common())
	require.ErrorContains(t, err, "its index may contain other repositories")
}
