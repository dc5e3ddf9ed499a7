package tools

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/workspace"
)

// aged sets the time of change of files, the first the oldest.
func aged(t *testing.T, w *workspace.Workspace, names ...string) {
	t.Helper()
	for i, name := range names {
		at := time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)
		require.NoError(t, os.Chtimes(filepath.Join(w.Folder(), name), at, at))
	}
}

func TestGlob(t *testing.T) {
	w := plant(t, "-- main.go --\n-- a/b.go --\n-- a/c/d.go --\n-- a/c/e.ts --\n-- .git/x.go --\n-- a/f.tsx --\n")
	aged(t, w, "main.go", "a/b.go", "a/c/d.go", "a/c/e.ts", "a/f.tsx")
	for _, c := range []struct{ pattern, path, want string }{
		{"**/*.go", "", "a/c/d.go\na/b.go\nmain.go"},
		{"*.go", "", "main.go"},
		{"./*.go", "", "main.go"},
		{"*.go", "a", "a/b.go"},
		{"**/*.{ts,tsx}", "", "a/f.tsx\na/c/e.ts"},
		{"a/**/*.go", "", "a/c/d.go\na/b.go"},
		{"a/*/d.go", "", "a/c/d.go"},
		{"main.go", "", "main.go"},
		{"a/c/[de].*", "", "a/c/e.ts\na/c/d.go"},
		{"c/../c/*.ts", "a", "a/c/e.ts"},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			require.Equal(t, c.want, done(t, Glob(w), args{"pattern": c.pattern, "path": c.path}).Text)
		})
	}
	view := done(t, Glob(w), args{"pattern": "**/*.go"}).View
	require.Equal(t, agent.ListingView{Title: "**/*.go", Items: []string{"a/c/d.go", "a/b.go", "main.go"}, Total: 3}, view)
}

func TestGlobFindsNothing(t *testing.T) {
	w := plant(t, "-- a/main.go --\n")
	require.Equal(t, "[No file matches *.go: it looks in the folder itself only, **/*.go at any depth]", done(t, Glob(w), args{"pattern": "*.go"}).Text)
	require.Equal(t, "[No file matches none/*.go in a]", done(t, Glob(w), args{"pattern": "none/*.go", "path": "a"}).Text)
}

func TestGlobIsCapped(t *testing.T) {
	w := plant(t, "")
	for i := range 250 {
		put(t, w.Folder(), fmt.Sprintf("f%03d", i), "")
	}
	aged(t, w, "f000")
	result := done(t, Glob(w), args{"pattern": "*"})
	require.Equal(t, 201, len(strings.Split(result.Text, "\n")))
	require.Contains(t, result.Text, "[the newest 200 of 250 files: narrow the pattern to see others]")
	require.NotContains(t, result.Text, "f000")
	require.Equal(t, 250, result.View.(agent.ListingView).Total)
}

func TestGlobRefuses(t *testing.T) {
	w := plant(t, "-- a.go --\n")
	require.Contains(t, refused(t, Glob(w), args{"pattern": "[a"}), "not a valid pattern")
	require.Contains(t, refused(t, Glob(w), args{"pattern": "*", "path": "a.go"}), "a.go is not a folder")
	require.Contains(t, refused(t, Glob(w), args{"pattern": "*", "path": "b.go"}), "did you mean a.go?")
}

func TestNamesThatWouldBreakALineAreQuoted(t *testing.T) {
	w := plant(t, "")
	put(t, w.Folder(), "a\nb.txt", "x\n")
	put(t, w.Folder(), "\xff.txt", "x\n")
	for _, tool := range []agent.Tool{Glob(w), Grep(w, nil), List(w)} {
		input := map[string]args{"glob": {"pattern": "*"}, "grep": {"pattern": "x"}, "list": {}}[tool.Spec.Name]
		text := done(t, tool, input).Text
		require.Contains(t, text, `"a\nb.txt"`)
		require.Contains(t, text, "\uFFFD.txt")
	}
}
