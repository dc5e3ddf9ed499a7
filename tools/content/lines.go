package content

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// Lines reads a text line by line in bounded memory: of a line it gives the first
// bytes only.
type Lines struct {
	CRLF bool  // the line that was just given ends so
	Err  error // why it ended before the end

	r     *bufio.Reader
	most  int
	check func() error
}

// NewLines reads the lines of r, without a byte order mark, which is no part of the
// first one, and of each at most so many bytes. check is asked now and then whether
// to go on: its error ends the reading.
func NewLines(r *bufio.Reader, most int, check func() error) *Lines {
	if mark, _ := r.Peek(len(ByteOrderMark)); string(mark) == ByteOrderMark {
		_, _ = r.Discard(len(ByteOrderMark)) // it has been seen
	}
	return &Lines{r: r, most: most, check: check}
}

// All gives each line, its end included where it is short enough. The slice is
// good until the next.
func (l *Lines) All(yield func([]byte) bool) {
	var line []byte
	for number, end := 1, false; !end; number++ {
		line, end = l.next(line[:0])
		if l.Err == nil && number%1024 == 0 {
			l.Err = l.check()
		}
		if l.Err != nil || len(line) > 0 && !yield(line) {
			return
		}
	}
}

// next reads one line, and says whether it is the last.
func (l *Lines) next(line []byte) ([]byte, bool) {
	for {
		piece, err := l.r.ReadSlice('\n')
		line = append(line, piece[:min(len(piece), max(0, l.most-len(line)))]...)
		switch {
		case err == nil:
			l.CRLF = bytes.HasSuffix(piece, []byte("\r\n"))
			return line, false
		case errors.Is(err, io.EOF):
			l.CRLF = false
			return line, true
		case !errors.Is(err, bufio.ErrBufferFull):
			l.Err = err
			return nil, true
		}
		if l.Err = l.check(); l.Err != nil {
			return nil, true
		}
	}
}
