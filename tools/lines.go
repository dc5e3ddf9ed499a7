package tools

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// longLines reads a text line by line in bounded memory: of a line it gives the
// first bytes only.
type longLines struct {
	r     *bufio.Reader
	most  int          // bytes of a line that are given
	check func() error // asked now and then whether to go on
	crlf  bool         // the line that was just given ends so
	err   error        // why it ended before the end
}

// all gives each line, its end included where it is short enough. The slice is
// good until the next.
func (l *longLines) all(yield func([]byte) bool) {
	var line []byte
	for number, end := 1, false; !end; number++ {
		line, end = l.next(line[:0])
		if l.err == nil && number%1024 == 0 {
			l.err = l.check()
		}
		if l.err != nil || len(line) > 0 && !yield(line) {
			return
		}
	}
}

// next reads one line, and says whether it is the last.
func (l *longLines) next(line []byte) ([]byte, bool) {
	for {
		piece, err := l.r.ReadSlice('\n')
		line = append(line, piece[:min(len(piece), max(0, l.most-len(line)))]...)
		switch {
		case err == nil:
			l.crlf = bytes.HasSuffix(piece, []byte("\r\n"))
			return line, false
		case errors.Is(err, io.EOF):
			l.crlf = false
			return line, true
		case !errors.Is(err, bufio.ErrBufferFull):
			l.err = err
			return nil, true
		}
		if l.err = l.check(); l.err != nil {
			return nil, true
		}
	}
}

// skipMark skips a byte order mark, which is no part of the first line.
func skipMark(r *bufio.Reader) {
	if mark, _ := r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		_, _ = r.Discard(len(byteOrderMark)) // it has been seen
	}
}
