//go:build unix

package frontmatter

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileNeedHaveNoFrontmatterAndItsFormMayBeLoose(t *testing.T) {
	for _, c := range []struct {
		text, body string
		keys       map[string]string
	}{
		{"only text\n", "only text", nil},
		{"---\na: b\n---\nbody\n", "body", map[string]string{"a": "b"}},
		{"---\na: b: c\nhint: [x] [y]\n---\nbody", "body", map[string]string{"a": "b: c", "hint": "x] [y"}},
		{"---\n---\nbody", "body", nil},
	} {
		all, body, err := Fields(c.text)
		require.NoError(t, err)
		require.Equal(t, c.body, body)
		require.Len(t, all, len(c.keys))
		for _, f := range all {
			require.Equal(t, c.keys[f.Key], f.Text, c.text)
		}
	}
	_, _, err := Fields("---\na: b\n")
	require.ErrorContains(t, err, "is not closed")
	all, _, err := Fields("---\nhint: [x, y]\nother: 'z'\n---\n")
	require.NoError(t, err)
	require.Equal(t, []string{"[x, y]", "z"}, []string{all[0].Raw, all[1].Raw}, "what stands on the line")
}

func TestPlacesAreLookedForInTheirOrder(t *testing.T) {
	top, config := t.TempDir(), t.TempDir()
	folder := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(folder, 0o700))
	places, done := Where{Config: config, Folder: folder, Top: top}.Places("commands", ".pawl", ".claude")
	defer done()
	var all []string
	for _, p := range places {
		all = append(all, p.Spell(p.Folder)+" "+p.Owner())
	}
	require.Equal(t, []string{
		".pawl/commands project", ".claude/commands project", "../../.pawl/commands project", "../../.claude/commands project",
		filepath.Join(config, "commands") + " user",
	}, all)
	require.True(t, places[2].AtTop)
	places, done = Where{Folder: folder, Top: folder}.Places("commands", ".pawl")
	defer done()
	require.Len(t, places, 1, "the top folder is looked at once")
}

func TestFoldersAreListedWithLinksAndWithoutWaiting(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "s/one"), 0o700))
	require.NoError(t, os.Symlink("one", filepath.Join(folder, "s/two")))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "s/file"), nil, 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, "s/pipe"), 0o600))
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600))
	source, done := ProjectFolder(folder)
	defer done()
	names, err := source.Folders("s")
	require.NoError(t, err)
	require.Equal(t, []string{"s/one", "s/two"}, names)
	for _, none := range []string{"pipe", "absent"} {
		names, err = source.Folders(none)
		require.NoError(t, err)
		require.Empty(t, names)
	}
}
