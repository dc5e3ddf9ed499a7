package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
)

func TestCompletionOffersSessionsModelsAndModes(t *testing.T) {
	w := base.World{Folder: t.TempDir()}
	t.Setenv("PAWL_HOME", filepath.Join(t.TempDir(), "none"))
	require.Empty(t, offeredValues(t.Context(), w, "session"), "there are none, and no error")
	require.Contains(t, offeredValues(t.Context(), w, "model"), Candidate{Text: "demo", Says: "the script"})
	require.NoDirExists(t, os.Getenv("PAWL_HOME"), "to complete leaves nothing behind")
	for _, kind := range completedKinds(t) {
		require.NotPanics(t, func() { offeredValues(t.Context(), w, kind) })
		require.Contains(t, []string{"session", "session or file", "model", "mode", "format", "files", "subject", "worktree"}, kind)
	}
}

// completedKinds are the values of the tag complete:"…" in the program's source.
func completedKinds(t *testing.T) (kinds []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, after := range strings.Split(string(text), ` complete:"`)[1:] {
			kind, _, _ := strings.Cut(after, `"`)
			if kind != "…" { // a comment's
				kinds = append(kinds, kind)
			}
		}
	}
	require.NotEmpty(t, kinds)
	return kinds
}
