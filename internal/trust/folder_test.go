package trust

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
	said := func(folder, file, content string) Answer {
		v, _, err := Folder{opened, folder}.Of(ctx, file, content)
		require.NoError(t, err)
		return v
	}
	here := Folder{opened, folder}
	require.Equal(t, Unseen, said(folder, ".mcp.json", "{}"))
	require.NoError(t, here.Remember(ctx, ".mcp.json", "{}", Trusted, []string{"a line", "two\nlines"}))
	require.Equal(t, Trusted, said(folder, ".mcp.json", "{}"))
	require.Equal(t, Unseen, said(folder, ".mcp.json", "{ }"))
	require.Equal(t, Unseen, said(folder, "hooks.toml", "{}"))
	require.Equal(t, Unseen, said(other, ".mcp.json", "{}"))

	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(folder, link))
	require.Equal(t, Trusted, said(link, ".mcp.json", "{}"), "it is the same folder")
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink(other, link))
	require.Equal(t, Unseen, said(link, ".mcp.json", "{}"), "and now another")

	require.NoError(t, here.Remember(ctx, ".mcp.json", "{}", Distrusted, nil))
	require.Equal(t, Distrusted, said(folder, ".mcp.json", "{}"))
	require.NoError(t, opened.SetFact(ctx, here.Name(".mcp.json"), "perhaps "+Digest("{}")))
	require.Equal(t, Unseen, said(folder, ".mcp.json", "{}"), "a word that is not known is no yes")
}

func TestWhatWasShownIsThereWhenAFileHasChanged(t *testing.T) {
	ctx := context.Background()
	opened, err := store.Open(ctx, filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	defer opened.Close()
	here := Folder{opened, t.TempDir()}
	require.NoError(t, here.Remember(ctx, "a", "one", Trusted, []string{"disk: sh", "    is given\nA"}))
	said, shown, err := here.Of(ctx, "a", "two")
	require.NoError(t, err)
	require.Equal(t, Unseen, said)
	require.Equal(t, []string{"disk: sh", "    is given A"}, shown)

	require.NoError(t, here.Forget(ctx, "a"))
	said, shown, err = here.Of(ctx, "a", "one")
	require.NoError(t, err)
	require.Equal(t, Unseen, said)
	require.Empty(t, shown)
}

// full is a database that takes nothing.
type full struct{ noFacts }

func (full) SetFact(context.Context, string, string) error { return errors.New("disk full") }

func TestAnAnswerThatCannotBeKeptHoldsUntilPawlEnds(t *testing.T) {
	ctx := context.Background()
	here := Folder{overlay{full{}, &Answers{}}, t.TempDir()}
	require.ErrorContains(t, here.Remember(ctx, "a", "one", Trusted, nil), "disk full")
	said, _, err := here.Of(ctx, "a", "one")
	require.NoError(t, err)
	require.Equal(t, Trusted, said)
}
