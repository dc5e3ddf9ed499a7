//go:build !windows

package socket

import "net"

// withFD calls use with the connection's descriptor.
func withFD(conn *net.UnixConn, use func(fd int) error) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var used error
	if err := raw.Control(func(fd uintptr) { used = use(int(fd)) }); err != nil { //nolint:gosec // a descriptor
		return err
	}
	return used
}
