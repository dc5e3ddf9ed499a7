//go:build unix

package regular

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyARegularFileIsReadAndNothingIsWaitedFor(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, os.WriteFile(at("file"), []byte("text"), 0o600))
	require.NoError(t, syscall.Mkfifo(at("fifo"), 0o600))
	require.NoError(t, os.Mkdir(at("dir"), 0o700))
	listener, err := net.Listen("unix", at("socket"))
	require.NoError(t, err)
	defer listener.Close()
	for _, name := range []string{"file", "fifo"} {
		require.NoError(t, os.Symlink(name, at(name+".link")))
	}
	root, err := OpenRoot(folder)
	require.NoError(t, err)
	defer root.Close()
	for _, name := range []string{"file", "file.link"} {
		text, err := Read(at(name), 4)
		require.NoError(t, err)
		require.Equal(t, "text", string(text))
		file, err := OpenIn(root, name)
		require.NoError(t, err)
		require.NoError(t, file.Close())
	}
	for name, says := range map[string]string{"fifo": "it is a pipe", "fifo.link": "it is a pipe", "dir": "it is a folder", "socket": ""} {
		_, err := Read(at(name), 4)
		require.ErrorContains(t, err, says)
		require.ErrorAs(t, err, new(*fs.PathError))
		_, err = OpenIn(root, name)
		require.ErrorContains(t, err, says)
	}
	_, err = OpenRoot(at("fifo"))
	require.ErrorIs(t, err, syscall.ENOTDIR)
	_, err = Read(os.DevNull, 4)
	require.ErrorContains(t, err, "it is a device")
	_, err = Read(at("file"), 3)
	require.ErrorContains(t, err, "it is larger than")
	_, err = Read(at("none"), 3)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.False(t, strings.Contains(err.Error(), "\n"))
}
