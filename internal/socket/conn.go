//go:build !windows

package socket

import (
	"errors"
	"net"
	"sync"
	"time"
)

// Conn is one connection. One goroutine at a time may read; any may write and close.
type Conn struct {
	conn   *net.UnixConn
	peer   int
	closed func()        // called by the Close that closes; nil: nobody counts
	done   chan struct{} // closed by Close

	in input

	writing sync.Mutex // guards broken, and keeps lines whole
	broken  error      // part of a line was written, or none can be
}

func newConn(conn *net.UnixConn, peer int) *Conn {
	return &Conn{conn: conn, peer: peer, done: make(chan struct{})}
}

// Peer is the process that has connected or that listens; the one that called Pair in both of
// its ends.
func (c *Conn) Peer() int { return c.peer }

// Close closes the connection and every received file that nobody has taken yet. A read or write
// that waits returns net.ErrClosed. It may be called more than once.
func (c *Conn) Close() error {
	err := c.conn.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	if c.closed != nil {
		c.closed()
	}
	close(c.done)
	c.in.close()
	return plainError(err)
}

// CloseWrite tells the other end that no more lines come.
func (c *Conn) CloseWrite() error { return c.conn.CloseWrite() }

// SetWriteDeadline bounds writes, those that wait already too. One that has written part of a
// line by then makes the connection useless for writing.
func (c *Conn) SetWriteDeadline(at time.Time) error { return c.conn.SetWriteDeadline(at) }

// SetReadDeadline bounds reads, those that wait already too. What has come is kept.
func (c *Conn) SetReadDeadline(at time.Time) error { return c.conn.SetReadDeadline(at) }
