//go:build !windows

package socket

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFolderAndSocketAreForTheUserAlone(t *testing.T) {
	folder := In(t.TempDir())
	listening(t, folder, nil)
	info, err := os.Stat(folder.Path())
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
	info, err = os.Stat(folder.Socket("s1"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
}

func TestAFolderOthersCouldPutASocketInIsRefused(t *testing.T) {
	for name, made := range map[string]struct {
		make func(path string) error
		want string
	}{
		"link":     {func(path string) error { return os.Symlink(os.TempDir(), path) }, "is a link"},
		"file":     {func(path string) error { return os.WriteFile(path, nil, 0o600) }, "is no folder"},
		"writable": {func(path string) error { _ = os.Mkdir(path, 0o700); return os.Chmod(path, 0o770) }, "other users may write"}, //nolint:gosec // that is the point
		"foreign":  {func(path string) error { _ = os.Mkdir(path, 0o700); return os.Chown(path, 1234, 1234) }, "another user"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "foreign" && os.Geteuid() != 0 {
				t.Skip("only root gives a folder away")
			}
			folder := In(t.TempDir())
			require.NoError(t, made.make(folder.Path()))
			_, err := folder.Listen("s1", nil)
			require.ErrorContains(t, err, made.want)
			require.NotContains(t, err.Error(), "\n")
			_, err = folder.Dial(t.Context(), "s1")
			require.ErrorContains(t, err, made.want)
			_, err = folder.Sessions()
			require.ErrorContains(t, err, made.want)
		})
	}
}

func TestAFolderThatOthersReadIsClosedToThem(t *testing.T) {
	folder := In(t.TempDir())
	require.NoError(t, os.Mkdir(folder.Path(), 0o755)) //nolint:gosec // that is the point
	listening(t, folder, nil)
	info, err := os.Stat(folder.Path())
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
}

func TestASessionWithoutAHostIsTold(t *testing.T) {
	folder := In(t.TempDir())
	_, err := folder.Dial(t.Context(), "s1")
	require.ErrorIs(t, err, ErrNoHost, "no folder")
	ids, err := folder.Sessions()
	require.NoError(t, err)
	require.Empty(t, ids)

	stale(t, folder, "s2")
	_, err = folder.Dial(t.Context(), "s1")
	require.ErrorIs(t, err, ErrNoHost, "no socket")
	_, err = folder.Dial(t.Context(), "s2")
	require.ErrorIs(t, err, ErrNoHost, "nobody listens")
	require.NoFileExists(t, folder.Socket("s2"))

	require.NoError(t, os.WriteFile(folder.Socket("s3"), []byte("mine"), 0o600))
	_, err = folder.Dial(t.Context(), "s3")
	require.ErrorIs(t, err, ErrNoHost, "no socket")
	require.FileExists(t, folder.Socket("s3"), "what is no socket is not ours to remove")

	for _, name := range []string{"", ".new", "../s1", "a/b"} {
		_, err = folder.Dial(t.Context(), name)
		require.ErrorContains(t, err, "is no session")
		_, err = folder.Listen(name, nil)
		require.ErrorContains(t, err, "is no session")
	}
}

// Whoever finds a socket that nobody listens at removes it, while the next host of that session
// binds its own.
func TestALiveSocketIsNeverRemovedAsAStaleOne(t *testing.T) {
	folder := In(t.TempDir())
	for range 200 {
		stale(t, folder, "s1")
		var l *Listener
		var others sync.WaitGroup
		for range 4 {
			others.Go(func() {
				if conn, err := folder.Dial(t.Context(), "s1"); err == nil {
					_ = conn.Close()
				}
			})
		}
		others.Go(func() { l, _ = folder.Listen("s1", nil) })
		others.Wait()
		require.NotNil(t, l)
		conn, err := folder.Dial(t.Context(), "s1")
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.NoError(t, l.Close())
		require.NoFileExists(t, folder.Socket("s1"))
	}
}

func TestAListenerLeavesTheSocketOfAnotherAlone(t *testing.T) {
	folder := In(t.TempDir())
	old, err := folder.Listen("s1", nil)
	require.NoError(t, err)
	listening(t, folder, nil)
	require.NoError(t, old.Close())
	require.NoError(t, old.Close())
	dialed(t, folder)
}

func TestALeftoverOfOneThatDiedBetweenBindAndRenameIsReplaced(t *testing.T) {
	folder := In(t.TempDir())
	require.NoError(t, folder.prepare())
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(folder.Path(), newName), Net: "unix"})
	require.NoError(t, err)
	l.SetUnlinkOnClose(false)
	require.NoError(t, l.Close())
	listening(t, folder, nil)
	ids, err := folder.Sessions()
	require.NoError(t, err)
	require.Equal(t, []string{"s1"}, ids)
}

func TestALongPathIsReachedOnLinuxAndToldElsewhere(t *testing.T) {
	folder := In(longPath(t))
	l, err := folder.Listen("s1", nil)
	if !canReachLongPaths {
		require.ErrorContains(t, err, "too long")
		return
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	conn := dialed(t, folder)
	require.NoError(t, accepted(t, l).WriteLine([]byte("hello")))
	line, _, err := conn.ReadLine()
	require.NoError(t, err)
	require.Equal(t, "hello", string(line))
}

func TestASessionIsFoundByBeginningOrEndOfItsID(t *testing.T) {
	folder := In(t.TempDir())
	const a, b = "0198aa00-1111-7000-8000-00000000a3f2", "0198aa00-2222-7000-8000-00000000b3f2"
	for _, id := range []string{a, b, "f2"} {
		stale(t, folder, id)
	}
	for part, want := range map[string][]string{
		"0198aa00":                       {a, b},
		"0198AA00-1":                     {a},
		"0198aa001":                      {a},
		"a3f2":                           {a},
		"…a3f2":                          {a},
		"...A3F2":                        {a},
		"8000-00000000B3F2":              {b},
		"0000000b3f2 ":                   {b},
		"3f2":                            {a, b},
		"f2":                             {"f2"},
		"1111":                           nil,
		a:                                {a},
		strings.ReplaceAll(b, "-", ""):   {b},
		"0198aa00-1111-7000-8000-000000": {a},
	} {
		found, err := folder.Find(part)
		require.NoError(t, err)
		require.ElementsMatch(t, want, found, part)
	}
	_, err := folder.Find(" ")
	require.ErrorContains(t, err, "which session?")
}
