package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestList(t *testing.T) {
	w := plant(t, "-- main.go --\npackage main\n-- a/b/c/d --\n-- a/b/e --\n-- a/x --\n-- .gitignore --\n*.log\n-- y.log --\n-- .git/config --\n")
	put(t, w.Folder(), "big", strings.Repeat("x", 3<<20))
	require.NoError(t, os.Symlink("main.go", filepath.Join(w.Folder(), "link")))
	require.NoError(t, os.Mkdir(filepath.Join(w.Folder(), "empty"), 0o755))
	result := done(t, List(w), args{})
	require.Equal(t, `./
  .gitignore  6 B
  a/
    b/  (2 entries)
    x  0 B
  big  3.0 MB
  empty/
  link -> main.go
  main.go  13 B`, result.Text)
	require.Equal(t, 8, result.View.(agent.ListingView).Total)
	require.Equal(t, "a/\n  b/  (2 entries)\n  x  0 B", done(t, List(w), args{"path": "a", "depth": 1}).Text)
	require.Contains(t, done(t, List(w), args{"depth": 4}).Text, "        d  0 B")
	require.Equal(t, "empty has nothing to show: it is empty, or all of it is ignored", done(t, List(w), args{"path": "empty"}).Text)
	require.Contains(t, refused(t, List(w), args{"path": "main.go"}), "main.go is not a folder: use read")
	require.Contains(t, refused(t, List(w), args{"path": "b"}), "b does not exist")
}

func TestListIsCapped(t *testing.T) {
	w := plant(t, "")
	for d := range 8 {
		for f := range 110 {
			put(t, w.Folder(), fmt.Sprintf("d%d/f%03d", d, f), "")
		}
	}
	text := done(t, List(w), args{}).Text
	require.Contains(t, text, "    … 10 more\n")
	require.Contains(t, text, "[cut at 500 entries: list a folder in it by itself, or use glob]")
	require.Less(t, strings.Count(text, "\n"), 520)
}
