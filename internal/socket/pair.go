//go:build !windows

package socket

import (
	"fmt"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Pair returns the two ends of a new connection: one for this process, and one to hand to a
// child as a file, which makes a Conn of it by FromFD. Both are close-on-exec. The caller closes
// child once the child has it.
func Pair() (parent *Conn, child *os.File, err error) {
	syscall.ForkLock.RLock() // no child may start before both are close-on-exec
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(ends[0])
		unix.CloseOnExec(ends[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, fmt.Errorf("make a connection: %w", err)
	}
	parent, err = FromFD(ends[0])
	if err != nil {
		_ = unix.Close(ends[1])
		return nil, nil, err
	}
	return parent, os.NewFile(uintptr(ends[1]), "connection"), nil //nolint:gosec // a descriptor
}

// FromFD makes a connection of an inherited descriptor, which it takes over: the number is free
// afterwards, and the connection close-on-exec. The error says if it is no stream of a unix socket.
func FromFD(fd int) (*Conn, error) {
	file := os.NewFile(uintptr(fd), "connection") //nolint:gosec // a descriptor
	if file == nil {
		return nil, fmt.Errorf("descriptor %d is none", fd)
	}
	defer func() { _ = file.Close() }()
	conn, err := net.FileConn(file) // a copy
	if err != nil {
		return nil, fmt.Errorf("descriptor %d is no connection: %w", fd, plainError(err))
	}
	stream, ok := conn.(*net.UnixConn)
	if !ok || stream.LocalAddr().Network() != "unix" {
		_ = conn.Close()
		return nil, fmt.Errorf("descriptor %d is a connection of another kind", fd)
	}
	pid := 0
	if who, err := peerOf(stream); err == nil { // a system that cannot tell has no other use of it here
		pid = who.pid
		who.close()
	}
	return newConn(stream, pid), nil
}
