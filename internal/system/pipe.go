package system

import (
	"errors"
	"io"
	"os"
)

// pipeSize is what a pipe holds, in bytes.
const pipeSize = 64 << 10

// ReadPipe reads from a pipe until nobody holds its other end any more or its read deadline has passed,
// and then what it still holds: on a busy machine whoever reads may have had no turn until then.
func ReadPipe(from *os.File) io.Reader { return &pipeReader{from, pipeSize} }

type pipeReader struct {
	from *os.File
	rest int // what may still be read behind the deadline
}

// Read implements io.Reader.
func (p *pipeReader) Read(to []byte) (int, error) {
	n, err := p.from.Read(to)
	raw, closed := p.from.SyscallConn()
	if !errors.Is(err, os.ErrDeadlineExceeded) || closed != nil {
		return n, err
	}
	_ = raw.Control(func(fd uintptr) { n = readNow(fd, to[:min(len(to), p.rest)]) }) // it may be closed meanwhile
	p.rest -= n
	if n > 0 {
		return n, nil
	}
	return 0, err
}
