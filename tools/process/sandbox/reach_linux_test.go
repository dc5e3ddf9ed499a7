package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAWayThroughWhatIsWritableIsNotFollowed(t *testing.T) {
	base := t.TempDir()
	real, err := filepath.EvalSymlinks(base)
	require.NoError(t, err)
	for _, folder := range []string{"in", "out/git", "in-not"} {
		require.NoError(t, os.MkdirAll(filepath.Join(base, folder), 0o755))
	}
	for link, to := range map[string]string{
		"in/link": real + "/out", "to-in": "in", "to-link": "to-in/link/git", "to-out": "./out/../out", "round": "round", "beyond": "../../../../../../../.." + real + "/out",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(base, link)))
	}
	for path, want := range map[string]string{
		"in/link": "", "in/link/git": "", "to-in/link/git": "", "to-link": "", "to-in": "", "in": "", "round": "", "none": "",
		"out/git": "out/git", "to-out/git": "out/git", "beyond/git": "out/git", "in-not": "in-not",
	} {
		got := reached([]string{real + "/in", base + "/" + path})
		if want == "" {
			require.Equal(t, []string{real + "/in"}, got, path)
			continue
		}
		require.Equal(t, []string{real + "/in", real + "/" + want}, got, path)
	}
}
