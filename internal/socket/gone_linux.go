package socket

import "golang.org/x/sys/unix"

// AwaitGone returns once the other end has been closed both ways, or this one is closed. Call it
// after the end of what comes was read: until then a read tells, and this waits for reads.
func (c *Conn) AwaitGone() {
	raw, err := c.conn.SyscallConn()
	if err != nil {
		return // it is closed
	}
	// The runtime calls this again at each change of the connection. An end that is closed for
	// writing alone has not hung up.
	_ = raw.Read(func(fd uintptr) bool {
		event := []unix.PollFd{{Fd: int32(fd)}} //nolint:gosec // a descriptor
		_, err := unix.Poll(event, 0)
		return err == nil && event[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0
	})
}
