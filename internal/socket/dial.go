//go:build !windows

package socket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// busyRetry is how often a socket at which too many wait already is tried again.
const busyRetry = 10 * time.Millisecond

// Dial connects to the host of a session. The error is or wraps ErrNoHost if there is none. A
// socket that nobody listens at is removed. The host may still refuse the connection: its first
// line then is of type "refused" (see Refusal). A host that ends at this moment closes the
// connection without a line.
func (f Folder) Dial(ctx context.Context, session string) (*Conn, error) {
	if err := checkName(session); err != nil {
		return nil, err
	}
	err := f.check()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoHost
	}
	if err != nil {
		return nil, err
	}
	conn, err := f.connect(ctx, session)
	switch {
	case errors.Is(err, unix.ENOENT):
		return nil, ErrNoHost
	case nobody(err):
		f.removeStale(ctx, session)
		return nil, ErrNoHost
	case errors.Is(err, unix.EAGAIN), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("the host of session %s takes no connection: it hangs, or very many wait", session)
	case err != nil:
		return nil, fmt.Errorf("reach the host of session %s: %w", session, err)
	}
	return ofOurUser(conn, session)
}

var errToolListens = errors.New("it is a command that a session has run: end that and remove its socket")

// ofOurUser refuses a listener of another user, and one that a tool of a session has started: a
// command that may remove a socket could put its own in the place.
func ofOurUser(conn *net.UnixConn, session string) (*Conn, error) {
	host, err := peerOf(conn)
	if err == nil {
		defer host.close()
		err = trusted(host)
	}
	if err == nil {
		return newConn(conn, host.pid), nil
	}
	_ = conn.Close()
	if host.pid > 0 && host.ended() {
		return nil, ErrNoHost // it has just left
	}
	return nil, fmt.Errorf("the host of session %s cannot be trusted: %w", session, err)
}

// trusted returns why a listener is none of ours.
func trusted(host peer) error {
	if host.uid != os.Geteuid() {
		return fmt.Errorf("it belongs to user %d", host.uid)
	}
	tool, err := FromTool(host.pid)
	if err == nil && tool {
		err = errToolListens
	}
	return err
}

// nobody reports whether a file is there and nobody listens.
func nobody(err error) bool {
	return errors.Is(err, unix.ECONNREFUSED) || errors.Is(err, unix.ENOTSOCK)
}

func (f Folder) connect(ctx context.Context, session string) (conn *net.UnixConn, err error) {
	err = f.address(session+suffix, func(address string) error {
		for {
			var dialer net.Dialer
			dialed, err := dialer.DialContext(ctx, "unix", address)
			if errors.Is(err, unix.EAGAIN) && wait(ctx, busyRetry) == nil { // many wait to be accepted
				continue
			}
			if err != nil {
				return plainError(err)
			}
			conn = dialed.(*net.UnixConn) //nolint:forcetypeassert // of this network
			return nil
		}
	})
	return conn, err
}

// plainError is an error of net without its addresses, which say nothing to people.
func plainError(err error) error {
	if op, is := errors.AsType[*net.OpError](err); is {
		err = op.Err
	}
	if call, is := errors.AsType[*os.SyscallError](err); is {
		err = call.Err
	}
	return err
}

// removeStale removes a socket if still nobody listens at it. While it looks nobody binds.
// Failing is no harm: the next one who finds it tries again.
func (f Folder) removeStale(ctx context.Context, session string) {
	release, err := f.lock(ctx)
	if err != nil {
		return
	}
	defer release()
	info, err := os.Lstat(f.Socket(session))
	if err != nil || info.Mode()&fs.ModeSocket == 0 {
		return
	}
	conn, err := f.connect(ctx, session)
	if err == nil {
		_ = conn.Close()
	}
	if nobody(err) {
		_ = os.Remove(f.Socket(session))
	}
}
