//go:build !linux && !windows

package socket

// AwaitGone returns once this end is closed: here the system does not say whether the other one
// still reads, and only a write tells.
func (c *Conn) AwaitGone() { <-c.done }
