//go:build windows

package socket

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Windows is not supported: internal/guard says so and ends the program before any of this runs.
const (
	MaxConns    = 128
	LongestLine = 10 << 20
	MaxFiles    = 3
)

// ErrLongLine is never returned here.
var ErrLongLine = errors.New("the line is too long")

func ours(fs.FileInfo) bool { return false }

// Listener is never made here.
type Listener struct{}

// Listen returns an error.
func (f Folder) Listen(string, func(pid int) error) (*Listener, error) {
	return nil, errors.Join(f.prepare(), errors.ErrUnsupported)
}

// Accept returns an error.
func (*Listener) Accept(context.Context) (*Conn, error) { return nil, errors.ErrUnsupported }

// Close does nothing.
func (*Listener) Close() error { return nil }

// Dial returns an error.
func (Folder) Dial(context.Context, string) (*Conn, error) { return nil, ErrNoHost }

// Conn is never made here.
type Conn struct{}

// Peer returns no process.
func (*Conn) Peer() int { return 0 }

// ReadLine returns an error.
func (*Conn) ReadLine() ([]byte, []*os.File, error) { return nil, nil, errors.ErrUnsupported }

// WriteLine returns an error.
func (*Conn) WriteLine([]byte, ...*os.File) error { return errors.ErrUnsupported }

// Read returns an error.
func (*Conn) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }

// Write returns an error.
func (*Conn) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }

// Close does nothing.
func (*Conn) Close() error { return nil }

// CloseWrite does nothing.
func (*Conn) CloseWrite() error { return nil }

// AwaitGone does nothing.
func (*Conn) AwaitGone() {}

// SetWriteDeadline does nothing.
func (*Conn) SetWriteDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing.
func (*Conn) SetReadDeadline(time.Time) error { return nil }

// Pair returns an error.
func Pair() (*Conn, *os.File, error) { return nil, nil, errors.ErrUnsupported }

// FromFD returns an error.
func FromFD(int) (*Conn, error) { return nil, errors.ErrUnsupported }

// DescendsFrom returns an error.
func DescendsFrom(int, int) (bool, error) { return false, errors.ErrUnsupported }

// FromTool takes nobody for one's own.
func FromTool(int) (bool, error) { return true, errors.ErrUnsupported }

// InSession returns false.
func InSession() (bool, error) { return false, nil }
