package checkout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/landing"
)

func TestWhatCameBackLandsLikeAnyWorktree(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	run := s.run("fix")
	s.whole(run, func(c *Checkout) {
		put(t, c.Place.Folder, "cart.go", "changed after\nand by the subagent\n")
		put(t, c.Place.Folder, "committed.go", "committed\n")
		gittest.Run(t, c.Place.Folder, "add", "committed.go")
		gittest.Run(t, c.Place.Folder, "commit", "-q", "-m", "by the subagent", "committed.go")
		put(t, c.Place.Folder, "loose.go", "loose\n")
		require.NoError(t, os.Remove(filepath.Join(c.Place.Folder, "second.go")))
	})
	note, found, err := s.trees.Find(run.Session)
	require.NoError(t, err)
	require.True(t, found)
	r, err := s.trees.Repository("")
	require.NoError(t, err)
	plan, err := landing.Make(t.Context(), landing.Source{Repository: r, Note: note, Scratch: t.TempDir()}, landing.Choice{})
	require.NoError(t, err)
	defer plan.Close()
	states := map[string]landing.State{}
	for _, f := range plan.Files {
		states[f.Path] = f.State
	}
	require.Equal(t, map[string]landing.State{"cart.go": landing.Lands, "committed.go": landing.Lands, "loose.go": landing.Lands, "second.go": landing.Lands}, states,
		"what it was given beyond the last commit is not its own")

	changes, err := note.Changes(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []any{4, 1, true}, []any{changes.Files, changes.Commits, changes.Dirty})
	require.NoError(t, r.Discard(t.Context(), note.Top, note.Path, note.Branch))
	require.NoError(t, note.Drop())
	require.NotContains(t, gittest.Run(t, top, "for-each-ref"), "pawl")
}
