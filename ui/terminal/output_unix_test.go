//go:build !windows

package terminal

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// duplicate is another descriptor of a file that blocks.
func duplicate(t *testing.T, file *os.File) uintptr {
	t.Helper()
	fd, err := unix.Dup(int(file.Fd()))
	require.NoError(t, err)
	require.NoError(t, unix.SetNonblock(fd, false))
	return uintptr(fd)
}

func flagsOf(t *testing.T, file *os.File) int {
	t.Helper()
	flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFL, 0)
	require.NoError(t, err)
	require.Zero(t, flags&unix.O_NONBLOCK)
	return flags
}
