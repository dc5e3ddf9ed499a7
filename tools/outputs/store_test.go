package outputs

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// newOutputs names a folder that is not there yet.
func newOutputs(t *testing.T) *Store {
	t.Helper()
	o := New(filepath.Join(t.TempDir(), "outputs", "session"))
	t.Cleanup(func() { require.NoError(t, o.Close()) })
	return o
}

func TestKeptOutputsAreTheUsersAlone(t *testing.T) {
	o := newOutputs(t)
	folder := o.Folder()
	require.NoDirExists(t, filepath.Dir(folder), "nothing is made before there is something to keep")
	path := o.Keep("mcp.server/tool", "text").Path
	require.Regexp(t, `/mcp-server-tool-[a-z2-7]{16}\.txt$`, path)
	for name, mode := range map[string]os.FileMode{path: 0o600, folder: 0o700, filepath.Dir(folder): 0o700} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), name)
	}
}

func TestAFileThatIsFullSaysSoOnce(t *testing.T) {
	o := newOutputs(t)
	o.most = 4
	for pieces, want := range map[string]string{
		"ab|cd":        "abcd",
		"ab|cd|ef|gh":  "abcd\n[Pawl stopped keeping this output here: it is longer than the 4 B that are kept]\n",
		"abc|def|ghi|": "abcd\n[Pawl stopped keeping this output here: it is longer than the 4 B that are kept]\n",
	} {
		file, err := o.Create("a")
		require.NoError(t, err)
		for piece := range strings.SplitSeq(pieces, "|") {
			file.Write([]byte(piece))
		}
		file.Close()
		held, err := os.ReadFile(file.Kept().Path)
		require.NoError(t, err)
		require.Equal(t, want, string(held))
		require.Equal(t, int64(4), file.Kept().Size)
	}
}

func TestASessionKeepsNoMoreThanItsRoom(t *testing.T) {
	o := newOutputs(t)
	o.most, o.room = 100, 150
	require.Equal(t, int64(100), o.Keep("a", strings.Repeat("x", 120)).Size)
	require.ErrorContains(t, o.Keep("b", "y").Err, "this session keeps 150 B of output already")
	entries, err := os.ReadDir(o.Folder())
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestAFullDiskLeavesNoHalfOfAnOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no device here that is always full:", err)
	}
	dropped := 0
	file := &File{file: full, path: "some/path", room: 1 << 20, drop: func() { dropped++ }}
	file.Write([]byte("text"))
	file.Write([]byte("more"))
	file.Close()
	require.Equal(t, Kept{Err: syscall.ENOSPC}, file.Kept())
	require.Equal(t, 1, dropped)
	require.Contains(t, file.Kept().Gap(5, 10), "[… 5 of 10 bytes of output are left out here; the whole of it could not be kept: no space left on device …]")
}
