package outputs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACopyHasEveryResultAndKeepsItWhenTheFirstIsRemoved(t *testing.T) {
	s := New(filepath.Join(t.TempDir(), "session"))
	defer s.Close()
	kept := s.Keep("shell", "all of it")
	require.NoError(t, kept.Err)
	folder := filepath.Join(t.TempDir(), "fork")
	require.NoError(t, Copy(s.Folder(), folder))
	require.NoError(t, Remove(s.Folder()))
	text, err := os.ReadFile(filepath.Join(folder, filepath.Base(kept.Path)))
	require.NoError(t, err)
	require.Equal(t, "all of it", string(text))

	none := filepath.Join(t.TempDir(), "none")
	require.NoError(t, Copy(s.Folder(), none))
	require.NoDirExists(t, none)
}
