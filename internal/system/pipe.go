package system

import (
	"errors"
	"io"
	"os"
	"time"
)

// What a pipe holds, in bytes, and how long it may take to be read once its deadline has passed.
const (
	pipeSize  = 64 << 10
	restGrace = 20 * time.Millisecond
)

// ReadPipe reads from a pipe until nobody holds its other end any more or its read deadline has passed,
// and then what it still holds: on a busy machine whoever reads may have had no turn until then.
func ReadPipe(from *os.File) io.Reader { return &pipeReader{from, pipeSize} }

type pipeReader struct {
	from *os.File
	rest int
}

// Read implements io.Reader.
func (p *pipeReader) Read(to []byte) (int, error) {
	n, err := p.from.Read(to)
	if p.rest == 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	_ = p.from.SetReadDeadline(time.Now().Add(restGrace)) // a pipe takes deadlines
	n, err = p.from.Read(to[:min(len(to), p.rest)])
	p.rest -= n
	return n, err
}
