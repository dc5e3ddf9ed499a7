package gemini

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// events is a stream of server-sent events with only what the SDK can read. It
// knows data alone and fails on the rest of the format: comments, which gateways
// send to keep a connection open, and the fields event, id and retry. Everything
// else passes as it is, the SDK's judgement included.
type events struct {
	io.Closer
	from *bufio.Reader
	rest []byte // read and not handed out
	err  error  // once rest is empty
	mid  bool   // in a line longer than the buffer
	keep bool   // the line that is being read
	open bool   // something stands since the last empty line
}

func newEvents(body io.ReadCloser) *events {
	return &events{Closer: body, from: bufio.NewReaderSize(body, 16<<10)}
}

// Read implements io.Reader.
func (e *events) Read(to []byte) (int, error) {
	for len(e.rest) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		e.rest = e.line()
	}
	n := copy(to, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// line reads a line, or a piece of a long one, and gives what of it passes.
func (e *events) line() []byte {
	piece, err := e.from.ReadSlice('\n')
	begins := !e.mid
	e.mid = errors.Is(err, bufio.ErrBufferFull)
	if err != nil && !e.mid {
		e.err = err
	}
	if !begins {
		return e.kept(piece)
	}
	if len(bytes.TrimRight(piece, "\r\n")) == 0 { // an empty line ends an event, if there is one
		ends := e.open && len(piece) > 0
		e.open, e.keep = false, false
		if ends {
			return []byte("\n")
		}
		return nil
	}
	e.keep = true
	for _, noise := range []string{":", "event:", "id:", "retry:"} {
		if bytes.HasPrefix(piece, []byte(noise)) {
			e.keep = false
		}
	}
	e.open = e.open || e.keep
	return e.kept(piece)
}

func (e *events) kept(piece []byte) []byte {
	if !e.keep {
		return nil
	}
	return piece
}
