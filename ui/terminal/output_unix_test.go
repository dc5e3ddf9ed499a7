//go:build !windows

package terminal

import (
	"os"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A descriptor of another process shares its flags with that process, and with the shell.
func TestAForeignDescriptorStaysAsItIs(t *testing.T) {
	hand, tty, err := pty.Open()
	require.NoError(t, err)
	defer hand.Close()
	defer tty.Close()
	file := foreign(t, tty)
	defer file.Close()
	before := flagsOf(t, tty)
	out := NewOutput(file)
	keys := KeyboardOf(file, nil, out)
	_, err = term.MakeRaw(out.Fd())
	require.NoError(t, err)
	write(t, out, "hello")
	_, err = hand.WriteString("a")
	require.NoError(t, err)
	require.Equal(t, "a", readKeys(t, keys))
	require.NoError(t, out.Close())
	require.Equal(t, before, flagsOf(t, tty))
}

// foreign is a descriptor as it comes from another process: blocking, and of the same description.
func foreign(t *testing.T, tty *os.File) *os.File {
	t.Helper()
	return os.NewFile(duplicate(t, tty), "terminal")
}

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
