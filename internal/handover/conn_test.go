//go:build !windows

package handover

import (
	"strconv"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/socket"
	"pawl/internal/system"
)

func TestAFrontWhoseTerminalIsTooLargeToDrawIsToldSo(t *testing.T) {
	front, theirs, err := socket.Pair()
	require.NoError(t, err)
	defer front.Close()
	line, err := unix.FcntlInt(theirs.Fd(), unix.F_DUPFD_CLOEXEC, 3) // Connect takes it over
	require.NoError(t, err)
	require.NoError(t, theirs.Close())
	master, slave, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	defer slave.Close()
	require.NoError(t, pty.Setsize(slave, &pty.Winsize{Cols: 10_000, Rows: 40}))
	require.NoError(t, Send(front, Message{Type: TypeAttach, Version: Version}, slave, slave))
	t.Setenv(variable, strconv.Itoa(line))
	conn, err := Connect()
	require.Nil(t, conn)
	require.ErrorContains(t, err, "10000 × 40 cells: make it smaller")
	m, _, received := Receive(front)
	require.NoError(t, received)
	require.Equal(t, Message{Type: TypeEnd, Code: system.ExitUsage, Text: err.Error()}, m)
}
