//go:build !windows

package socket

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	// LongestLine limits one line that comes, in bytes: as much as a prompt on standard input.
	LongestLine = 10 << 20
	// MaxFiles is how many files may come with one line.
	MaxFiles = 3

	leastRead   = 4 << 10
	keptBuffer  = 64 << 10
	mostRights  = 253 // as many descriptors as Linux puts into one message
	sizeOfRight = 4
)

// ErrLongLine is the error of a line that is longer than LongestLine. The connection goes on.
var ErrLongLine = errors.New("the line is longer than 10 MB: put the text into a file of the folder and name that")

// input is what has come and was not read yet.
type input struct {
	buffer []byte
	seen   int  // so many bytes of buffer hold no line break
	long   bool // the line is too long, and what came of it was dropped
	lines  int  // so many lines were read to their end
	rights []byte

	mu       sync.Mutex // guards what follows: Close comes from any goroutine
	closed   bool       // files that still come are closed at once
	attached []attachment
}

// attachment is the files that came with a line.
type attachment struct {
	line  int
	files []*os.File
}

// ReadLine returns the next line, without its line break, and the files that came with it, which
// are the caller's to close. A line longer than LongestLine is left out, its files are closed,
// and the error is ErrLongLine; after any other error nothing more comes, but for one of a
// deadline. The last line may lack its line break. The error at the end is io.EOF.
func (c *Conn) ReadLine() (line []byte, files []*os.File, err error) {
	in := &c.in
	for {
		if at := bytes.IndexByte(in.buffer[in.seen:], '\n'); at >= 0 {
			return in.takeLine(in.seen+at, 1)
		}
		in.seen = len(in.buffer)
		if in.seen > LongestLine {
			in.drop()
		}
		err := c.fill()
		switch {
		case errors.Is(err, io.EOF) && (len(in.buffer) > 0 || in.long):
			return in.takeLine(len(in.buffer), 0)
		case err != nil:
			return nil, nil, err
		}
	}
}

// Read reads the bytes of the lines that come, for readers that want no files: those that come
// are closed.
func (c *Conn) Read(p []byte) (int, error) {
	in := &c.in
	if len(in.buffer) == 0 {
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
	in.closeFiles(all)
	n := copy(p, in.buffer)
	in.lines += bytes.Count(p[:n], []byte{'\n'})
	in.consume(n)
	return n, nil
}

// takeLine takes a line of so many bytes and a line break of so many.
func (in *input) takeLine(length, lineBreak int) ([]byte, []*os.File, error) {
	long := in.long || length > LongestLine
	var line []byte
	if !long {
		line = bytes.Clone(in.buffer[:length:length])
	}
	in.consume(length + lineBreak)
	in.long = false
	number := in.lines
	in.lines++
	if long {
		in.closeFiles(number)
		return nil, nil, ErrLongLine
	}
	return line, in.takeFiles(number), nil
}

func (in *input) consume(n int) {
	in.buffer = in.buffer[n:]
	in.seen = 0
	if len(in.buffer) == 0 && cap(in.buffer) > keptBuffer {
		in.buffer = nil
	}
}

func (in *input) drop() {
	in.buffer, in.seen, in.long = in.buffer[:0], 0, true
}

// fill reads what has come, and waits if nothing has.
func (c *Conn) fill() error {
	in := &c.in
	if in.rights == nil {
		in.rights = make([]byte, unix.CmsgSpace(mostRights*sizeOfRight))
	}
	in.buffer = slices.Grow(in.buffer, leastRead)
	had := len(in.buffer)
	n, rights, _, _, err := c.conn.ReadMsgUnix(in.buffer[had:cap(in.buffer)], in.rights)
	in.buffer = in.buffer[:had+max(n, 0)]
	if rights > 0 {
		in.attach(receivedFiles(in.rights[:rights]), in.buffer[had:])
	}
	if n > 0 {
		return nil
	}
	return plainError(err)
}

// attach puts files to their line. They come with the first byte of a message, and a read ends
// with that message at the latest, so theirs is the last line that begins in what was read. It
// is called between lines that were read to their end, so the first of read continues in.lines.
func (in *input) attach(files []*os.File, read []byte) {
	breaks := bytes.Count(read, []byte{'\n'})
	line := in.lines + breaks
	if bytes.HasSuffix(read, []byte{'\n'}) {
		line--
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	at := slices.IndexFunc(in.attached, func(a attachment) bool { return a.line == line })
	if at < 0 {
		at = len(in.attached)
		in.attached = append(in.attached, attachment{line: line})
	}
	files = append(in.attached[at].files, files...)
	kept := min(MaxFiles, len(files))
	if in.closed {
		kept = 0
	}
	closeAll(files[kept:])
	in.attached[at].files = files[:kept]
}

func (in *input) takeFiles(line int) (files []*os.File) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.attached = slices.DeleteFunc(in.attached, func(a attachment) bool {
		if a.line == line {
			files = a.files
		}
		return a.line == line
	})
	return files
}

const all = -1 // for closeFiles: of every line

// closeFiles closes the files that came with a line.
func (in *input) closeFiles(line int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.attached = slices.DeleteFunc(in.attached, func(a attachment) bool {
		if a.line == line || line == all {
			closeAll(a.files)
			return true
		}
		return false
	})
}

func closeAll(files []*os.File) {
	for _, file := range files {
		_ = file.Close()
	}
}

// close closes the files that nobody has taken, and those that still come.
func (in *input) close() {
	in.mu.Lock()
	in.closed = true
	in.mu.Unlock()
	in.closeFiles(all)
}

// receivedFiles are the files of a control message. All are close-on-exec: net asks for it.
func receivedFiles(control []byte) (files []*os.File) {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return nil
	}
	for _, message := range messages {
		fds, err := unix.ParseUnixRights(&message)
		if err != nil {
			continue // not descriptors
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "received")) //nolint:gosec // a descriptor
		}
	}
	return files
}
