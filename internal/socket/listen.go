//go:build !windows

package socket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// MaxConns is how many connections one listener has at once.
	MaxConns = 128

	lockLimit = 5 * time.Second // how long Listen waits for the folder
)

// Listener is the socket of one session.
type Listener struct {
	folder  Folder
	session string
	in      *net.UnixListener
	file    fs.FileInfo // of the socket, however it is named
	refuse  func(pid int) error
	open    atomic.Int64 // connections that were accepted and are not closed
	closing sync.Once
}

// Listen makes the socket of a session. The caller holds the store's lock of that session, so a
// file of that name is left over and is replaced. refuse may be nil; Accept calls it, in its own
// goroutine, with the process that has connected, and its error is told to that process.
func (f Folder) Listen(session string, refuse func(pid int) error) (*Listener, error) {
	if err := checkName(session); err != nil {
		return nil, err
	}
	if err := f.prepare(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockLimit)
	defer cancel()
	release, err := f.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	l := &Listener{folder: f, session: session, refuse: refuse}
	if err := l.bind(); err != nil {
		return nil, fmt.Errorf("listen for session %s: %w", session, err)
	}
	return l, nil
}

// bind listens under another name first: nobody finds a socket that is not listened at and takes
// it for one that is left over.
func (l *Listener) bind() (err error) {
	name := filepath.Join(l.folder.path, newName)
	_ = os.Remove(name) // of somebody who died here
	err = l.folder.address(newName, func(address string) (err error) {
		l.in, err = net.ListenUnix("unix", &net.UnixAddr{Name: address, Net: "unix"})
		return plainError(err)
	})
	if err != nil {
		return err
	}
	l.in.SetUnlinkOnClose(false)
	if err = os.Chmod(name, 0o600); err == nil {
		l.file, err = os.Lstat(name)
	}
	if err == nil {
		err = os.Rename(name, l.folder.Socket(l.session))
	}
	if err != nil {
		_ = l.in.Close()
		_ = os.Remove(name)
	}
	return err
}

// Close ends Accept and removes the socket, unless somebody else's has taken its name.
// Connections stay open. It may be called more than once and from any goroutine.
func (l *Listener) Close() error {
	var err error
	l.closing.Do(func() {
		l.remove()
		err = l.in.Close()
	})
	return err
}

func (l *Listener) remove() {
	ctx, cancel := context.WithTimeout(context.Background(), lockLimit)
	defer cancel()
	release, err := l.folder.lock(ctx)
	if err != nil {
		return // whoever finds the socket removes it
	}
	defer release()
	path := l.folder.Socket(l.session)
	if now, err := os.Lstat(path); err == nil && os.SameFile(l.file, now) {
		_ = os.Remove(path)
	}
}

const (
	firstPause = 5 * time.Millisecond
	lastPause  = time.Second
)

// Accept returns the next connection whose process may have one; call it from one goroutine. The
// others are told why not and closed, which takes no time. It returns the error of ctx, or
// net.ErrClosed after Close. If the system has no descriptors left it waits until it has.
func (l *Listener) Accept(ctx context.Context) (*Conn, error) {
	defer l.endWith(ctx)()
	for pause := firstPause; ; {
		conn, err := l.in.AcceptUnix()
		if ctx.Err() != nil {
			if err == nil {
				_ = conn.Close()
			}
			return nil, ctx.Err()
		}
		switch {
		case err == nil:
			if c := l.admit(conn); c != nil {
				return c, nil
			}
			pause = firstPause
		case exhausted(err):
			_ = wait(ctx, pause) // the next call sees its end
			pause = min(2*pause, lastPause)
		case errors.Is(err, net.ErrClosed):
			return nil, net.ErrClosed
		default:
			return nil, fmt.Errorf("accept a connection to session %s: %w", l.session, plainError(err))
		}
	}
}

func exhausted(err error) bool {
	for _, scarce := range []error{unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM} {
		if errors.Is(err, scarce) {
			return true
		}
	}
	return false
}

// endWith makes the waiting accept return when ctx ends, until release is called.
func (l *Listener) endWith(ctx context.Context) (release func()) {
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = l.in.SetDeadline(time.Unix(1, 0))
		close(ended)
	})
	return func() {
		if !stop() {
			<-ended
			_ = l.in.SetDeadline(time.Time{})
		}
	}
}
