package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

const ignoreTree = `
-- .gitignore --
# comment
*.log
!keep.log
/top.txt
build/
docs/**/draft.md
sub/only
deep/**
!deep/inner
\#hash
trailing\ 
spaced   
a?c
[xyz].md
-- a.log --
-- keep.log --
-- top.txt --
-- sub/top.txt --
-- build/out --
-- sub/build/out --
-- sub/only --
-- other/sub/only --
-- docs/draft.md --
-- docs/a/draft.md --
-- docs/a/b/draft.md --
-- docs/a/final.md --
-- deep/inner --
-- deep/other --
-- #hash --
-- spaced --
-- abc --
-- abbc --
-- x.md --
-- w.md --
-- sub/.gitignore --
*.tmp
!keep.tmp
/local
keep.log
-- sub/a.tmp --
-- sub/keep.tmp --
-- sub/local --
-- sub/x/local --
-- sub/keep.log --
-- a.tmp --
-- .hidden/file --
-- .github/ci.yml --
`

// walked lists all files that a walk shows.
func walked(t *testing.T, w *Workspace, dir string) []string {
	t.Helper()
	files := []string{}
	require.NoError(t, w.Walk(t.Context(), dir, func(at string, entry fs.DirEntry) error {
		if !entry.IsDir() {
			files = append(files, at)
		}
		return nil
	}))
	slices.Sort(files)
	return files
}

func TestIgnoreRulesAreGits(t *testing.T) {
	w := opened(t, ignoreTree)
	gittest.Run(t, w.Folder(), "init", "-q")
	write(t, w.Folder(), ".git/info/exclude", "w.md\n")
	w, err := Open(w.Folder())
	require.NoError(t, err)
	defer w.Close()
	want := strings.Split(strings.TrimRight(gittest.Run(t, w.Folder(), "-c", "core.quotePath=false", "ls-files", "-o", "--exclude-standard"), "\n"), "\n")
	slices.Sort(want)
	require.Equal(t, want, walked(t, w, "."))

	// The same from a folder inside the repository: rules above it count.
	inner, err := Open(filepath.Join(w.Folder(), "sub"))
	require.NoError(t, err)
	defer inner.Close()
	want = slices.DeleteFunc(want, func(path string) bool { return !strings.HasPrefix(path, "sub/") })
	got := walked(t, inner, ".")
	for i := range got {
		got[i] = "sub/" + got[i]
	}
	require.Equal(t, want, got)
}

func TestIgnoredFoldersAreSeenWhenNamed(t *testing.T) {
	w := opened(t, "-- .gitignore --\nnode_modules/\n-- node_modules/a/index.js --\nfind me\n-- node_modules/a/.gitignore --\n*.map\n-- node_modules/a/x.map --\nfind me\n")
	require.Equal(t, []string{".gitignore"}, walked(t, w, "."))
	require.Equal(t, []string{"node_modules/a/.gitignore", "node_modules/a/index.js"}, walked(t, w, "node_modules/a"))
}

func TestWalkFollowsNoLinksAndEndsWithItsContext(t *testing.T) {
	w := opened(t, "-- a/b/c --\n")
	require.NoError(t, os.Symlink("..", filepath.Join(w.Folder(), "a/loop")))
	require.NoError(t, os.Symlink(t.TempDir(), filepath.Join(w.Folder(), "a/out")))
	require.Equal(t, []string{"a/b/c", "a/loop", "a/out"}, walked(t, w, "."))
	ctx, cancel := context.WithCancel(t.Context())
	err := w.Walk(ctx, ".", func(string, fs.DirEntry) error { cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
}

func TestIgnoreFilesThatAreNoFiles(t *testing.T) {
	w := opened(t, "-- a/.gitignore/x --\n-- a/b --\n-- c --\n")
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(w.Folder(), ".gitignore")))
	require.Equal(t, []string{".gitignore", "a/.gitignore/x", "a/b", "c"}, walked(t, w, "."))
}
