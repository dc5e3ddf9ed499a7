package chat

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// longestEvent bounds one event, so that a server cannot fill the memory.
const longestEvent = 32 << 20

var errTooLong = errors.New("the server sent an event of more than 32 MB")

// decoder reads server-sent events as servers really send them: with any line
// ending, with and without the space and the blank line, joined or not, and with
// a last event that nothing ends.
type decoder struct {
	from    *bufio.Reader
	stray   []byte // what is no event stream: an error, or a whole answer
	pending []byte // data of the event that is being read
	held    []byte // a line that begins the next one
	started bool
	ended   bool
}

func newDecoder(r io.Reader) *decoder { return &decoder{from: bufio.NewReaderSize(r, 64<<10)} }

// next returns the data of the next event, nil for a comment, and io.EOF after the
// last one. The data holds until the next call.
func (d *decoder) next() ([]byte, error) {
	d.pending = append(d.pending[:0], d.held...)
	d.held = d.held[:0]
	for !d.ended {
		line, err := d.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		d.ended = errors.Is(err, io.EOF)
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0:
			if len(d.pending) > 0 {
				return d.pending, nil
			}
		case len(name) == 0:
			return d.comment()
		case string(name) == "data":
			if complete(d.pending) { // nothing but the next event follows a whole one
				d.held = append(d.held, value...)
				return d.pending, nil
			}
			if len(d.pending) > 0 {
				d.pending = append(d.pending, '\n')
			}
			d.pending = append(d.pending, value...)
		case string(name) != "event" && string(name) != "id" && string(name) != "retry":
			d.stray = append(append(d.stray, line...), '\n')
		}
		if len(d.pending)+len(d.stray) > longestEvent {
			return nil, errTooLong
		}
	}
	if len(d.pending) == 0 {
		return nil, io.EOF
	}
	return d.pending, nil
}

// comment tells of a sign of life, without losing the event around it.
func (d *decoder) comment() ([]byte, error) {
	d.held = append(d.held[:0], d.pending...)
	return nil, nil
}

// complete says whether data can stand alone.
func complete(data []byte) bool {
	return len(data) > 0 && (string(data) == "[DONE]" || json.Valid(data))
}

// line reads one line without its end, and io.EOF with the last one.
func (d *decoder) line() ([]byte, error) {
	var line []byte
	for {
		piece, err := d.from.ReadSlice('\n')
		line = append(line, piece...)
		if len(line) > longestEvent {
			return nil, errTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if !d.started {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			d.started = true
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
