package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/store"
)

func TestTrustIsRememberedByFolderFileAndContent(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "pawl.db")
	opened, err := store.Open(ctx, path, store.Options{})
	require.NoError(t, err)
	defer opened.Close()
	folder, other := t.TempDir(), t.TempDir()
	said := func(folder, file, content string) verdict {
		v, _, err := trust{opened, folder}.of(ctx, file, content)
		require.NoError(t, err)
		return v
	}
	here := trust{opened, folder}
	require.Equal(t, unseen, said(folder, ".mcp.json", "{}"))
	require.NoError(t, here.remember(ctx, ".mcp.json", "{}", trusted, []string{"a line", "two\nlines"}))
	require.Equal(t, trusted, said(folder, ".mcp.json", "{}"))
	require.Equal(t, unseen, said(folder, ".mcp.json", "{ }"))
	require.Equal(t, unseen, said(folder, "hooks.toml", "{}"))
	require.Equal(t, unseen, said(other, ".mcp.json", "{}"))

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(folder, link))
	require.Equal(t, trusted, said(link, ".mcp.json", "{}"), "it is the same folder")
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink(other, link))
	require.Equal(t, unseen, said(link, ".mcp.json", "{}"), "and now another")

	require.NoError(t, here.remember(ctx, ".mcp.json", "{}", distrusted, nil))
	require.Equal(t, distrusted, said(folder, ".mcp.json", "{}"))
	require.NoError(t, opened.SetFact(ctx, here.name(".mcp.json"), "perhaps "+digest("{}")))
	require.Equal(t, unseen, said(folder, ".mcp.json", "{}"), "a word that is not known is no yes")
}

func TestWhatWasShownIsThereWhenAFileHasChanged(t *testing.T) {
	ctx := context.Background()
	opened, err := store.Open(ctx, filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	defer opened.Close()
	here := trust{opened, t.TempDir()}
	require.NoError(t, here.remember(ctx, "a", "one", trusted, []string{"disk: sh", "    is given\nA"}))
	said, shown, err := here.of(ctx, "a", "two")
	require.NoError(t, err)
	require.Equal(t, unseen, said)
	require.Equal(t, []string{"disk: sh", "    is given A"}, shown)
	lines := (&part{wants: "It wants:", says: []string{"disk: sh", "web: https://x"}, shown: shown}).lines()
	require.Equal(t, []string{"It wants:", "    (changed since you answered: + is new, - is gone)", "    disk: sh", "  + web: https://x", "  -     is given A"}, lines)
	require.Contains(t, (&part{says: shown, shown: shown}).lines()[1], "in a part that is not shown")

	require.NoError(t, here.forget(ctx, "a"))
	said, shown, err = here.of(ctx, "a", "one")
	require.NoError(t, err)
	require.Equal(t, unseen, said)
	require.Empty(t, shown)
}

// full is a database that takes nothing.
type full struct{ nobody }

func (full) SetFact(context.Context, string, string) error { return errors.New("disk full") }

func TestAnAnswerThatCannotBeKeptHoldsUntilPawlEnds(t *testing.T) {
	ctx := context.Background()
	here := trust{held{full{}, &verdicts{}}, t.TempDir()}
	require.ErrorContains(t, here.remember(ctx, "a", "one", trusted, nil), "disk full")
	said, _, err := here.of(ctx, "a", "one")
	require.NoError(t, err)
	require.Equal(t, trusted, said)
}
