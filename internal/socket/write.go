//go:build !windows

package socket

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// WriteLine writes one line whole, and with its first byte the files, of which the other end
// gets copies. The line has no line break, or one at its end. An error that comes after part of
// the line was written is returned by each later write.
func (c *Conn) WriteLine(line []byte, files ...*os.File) error {
	if len(files) > MaxFiles {
		return fmt.Errorf("%d files with one line: at most %d", len(files), MaxFiles)
	}
	if !bytes.HasSuffix(line, []byte{'\n'}) {
		line = append(line[:len(line):len(line)], '\n')
	}
	rights, err := rightsOf(files)
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(files)
	_, err = c.write(line, rights)
	return err
}

// Write writes lines, whole ones, for writers that know no others.
func (c *Conn) Write(lines []byte) (int, error) { return c.write(lines, nil) }

func (c *Conn) write(text, rights []byte) (n int, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.broken != nil {
		return 0, c.broken
	}
	if len(rights) > 0 {
		n, _, err = c.conn.WriteMsgUnix(text, rights, nil)
	}
	if err == nil && n < len(text) {
		var more int
		more, err = c.conn.Write(text[n:])
		n += more
	}
	err = plainError(err)
	if err != nil && (n > 0 || errors.Is(err, unix.EPIPE)) {
		c.broken = err
	}
	return n, err
}

func rightsOf(files []*os.File) ([]byte, error) {
	if len(files) == 0 {
		return nil, nil
	}
	fds := make([]int, len(files))
	for i, file := range files {
		raw, err := file.SyscallConn()
		if err == nil {
			err = raw.Control(func(fd uintptr) { fds[i] = int(fd) }) //nolint:gosec // a descriptor
		}
		if err != nil {
			return nil, fmt.Errorf("send %s: %w", file.Name(), err)
		}
	}
	return unix.UnixRights(fds...), nil
}
