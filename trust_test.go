package main

import (
	"context"
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
		v, err := trust{opened, folder}.of(ctx, file, content)
		require.NoError(t, err)
		return v
	}
	here := trust{opened, folder}
	require.Equal(t, unseen, said(folder, ".mcp.json", "{}"))
	require.NoError(t, here.remember(ctx, ".mcp.json", "{}", trusted))
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

	require.NoError(t, here.remember(ctx, ".mcp.json", "{}", distrusted))
	require.Equal(t, distrusted, said(folder, ".mcp.json", "{}"))
	require.NoError(t, opened.SetFact(ctx, here.name(".mcp.json"), "perhaps "+digest("{}")))
	require.Equal(t, unseen, said(folder, ".mcp.json", "{}"), "a word that is not known is no yes")
}
