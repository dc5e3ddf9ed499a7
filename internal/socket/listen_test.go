//go:build !windows

package socket

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// noDescendant refuses what was started below this process.
func noDescendant(pid int) error {
	below, err := DescendsFrom(pid, os.Getpid())
	if err == nil && below && pid != os.Getpid() {
		err = errors.New("a command may not answer its own question")
	}
	return err
}

func TestADescendantIsRefusedWithALine(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, noDescendant)
	command := child(t, "dial", filepath.Dir(folder.Path()))
	out := started(t, command)
	mine := acceptLater(t, l)
	said, err := out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, `{"type":"refused","error":"a command may not answer its own question"} <nil>`+"\n", said)
	require.NoError(t, command.Wait())

	dialed(t, folder)
	require.Equal(t, os.Getpid(), (<-mine).Peer(), "whoever is none is let in")
}

func TestAProcessThatHasEndedIsRefusedThoughItsChildHoldsTheConnection(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, func(int) error { return nil })
	command := child(t, "dial and end", filepath.Dir(folder.Path()))
	out := started(t, command)
	require.NoError(t, command.Wait(), "it ends before anybody accepts")
	mine := acceptLater(t, l)
	said, err := out.ReadString('\n')
	require.NoError(t, err, said)
	require.ErrorContains(t, Refusal([]byte(said)), "has ended")
	_, err = out.ReadString('\n')
	require.ErrorIs(t, err, io.EOF)
	dialed(t, folder)
	require.Equal(t, os.Getpid(), (<-mine).Peer())
}

func TestAncestorsAreFoundHoweverFar(t *testing.T) {
	for _, c := range []struct {
		pid, ancestor int
		want          bool
	}{
		{os.Getpid(), os.Getpid(), true},
		{os.Getpid(), os.Getppid(), true},
		{os.Getpid(), 1, true},
		{os.Getppid(), os.Getpid(), false},
		{1, os.Getpid(), false},
	} {
		below, err := DescendsFrom(c.pid, c.ancestor)
		require.NoError(t, err)
		require.Equal(t, c.want, below, "%d below %d", c.pid, c.ancestor)
	}
	command := child(t, "print")
	require.NoError(t, command.Run())
	_, err := DescendsFrom(command.Process.Pid, os.Getpid())
	require.ErrorContains(t, err, "cannot tell")
}

func TestOneConnectionTooManyIsToldAndTheHostGoesOn(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, nil)
	const clients = 1000
	conns := make([]*Conn, clients)
	for i := range conns {
		conns[i] = dialed(t, folder)
	}
	hosts := make([]*Conn, MaxConns)
	for i := range hosts {
		hosts[i] = accepted(t, l)
	}
	next := acceptLater(t, l)
	for _, conn := range conns[MaxConns:] {
		line, _, err := conn.ReadLine()
		require.NoError(t, err)
		require.ErrorContains(t, Refusal(line), "this session has 128 connections already: ")
		_, _, err = conn.ReadLine()
		require.ErrorIs(t, err, io.EOF)
	}
	require.NoError(t, hosts[0].Close())
	require.NoError(t, hosts[0].Close(), "counted once")
	dialed(t, folder)
	require.NotNil(t, <-next)
	last := dialed(t, folder)
	next = acceptLater(t, l)
	line, _, err := last.ReadLine()
	require.NoError(t, err)
	require.Error(t, Refusal(line))
	require.NoError(t, hosts[1].Close())
	dialed(t, folder)
	require.NotNil(t, <-next)
}

func TestAcceptWaitsForDescriptors(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, nil)
	dialed(t, folder)
	var limit unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 0
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &none))
	waited, cancel := context.WithTimeout(t.Context(), 10*firstPause)
	defer cancel()
	_, err := l.Accept(waited)
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	accepted(t, l)
}

func TestAcceptEndsWithItsContextAndWithClose(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := l.Accept(ctx)
		ended <- err
		_, err = l.Accept(context.Background())
		ended <- err
	}()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.NoError(t, l.Close())
	require.ErrorIs(t, <-ended, net.ErrClosed)
	_, err := folder.Dial(t.Context(), "s1")
	require.ErrorIs(t, err, ErrNoHost)
}

func TestAWriterIsFreedFromAClientThatReadsNoMore(t *testing.T) {
	folder := In(t.TempDir())
	l := listening(t, folder, nil)
	client := dialed(t, folder)
	host := accepted(t, l)
	long := make([]byte, LongestLine)
	for i := range long {
		long[i] = 'x'
	}
	written := make(chan error)
	go func() { written <- host.WriteLine(long) }()
	_, err := client.Read(make([]byte, 1)) // so that it has begun
	require.NoError(t, err)
	require.NoError(t, host.SetWriteDeadline(time.Now()))
	require.ErrorIs(t, <-written, os.ErrDeadlineExceeded)
	require.NoError(t, host.SetWriteDeadline(time.Time{}))
	require.ErrorIs(t, host.WriteLine([]byte("short")), os.ErrDeadlineExceeded, "half a line stands there")
	require.NoError(t, client.Close())
}

// acceptLater accepts one connection while the test goes on.
func acceptLater(t *testing.T, l *Listener) <-chan *Conn {
	t.Helper()
	mine := make(chan *Conn, 1)
	go func() {
		conn, err := l.Accept(t.Context())
		if err == nil {
			t.Cleanup(func() { _ = conn.Close() })
		}
		mine <- conn
	}()
	return mine
}
