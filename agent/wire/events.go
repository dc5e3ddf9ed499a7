package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxEvent bounds one event, so that a server cannot exhaust memory.
const maxEvent = 32 << 20

// maxStream bounds a whole answer. 128,000 tokens, the most that models give, are about 26
// MB if each is an event of 200 bytes.
const maxStream = 256 << 20

var (
	errTooLong = errors.New("the server sent an event of more than 32 MB")
	errEndless = errors.New("the server sent an answer of more than 256 MB")
	errDamaged = fmt.Errorf("%w: it was damaged on its way", ErrUnreadable)
)

// Events reads server-sent events as servers really send them: with any line ending, with
// or without the space and the blank line, joined or not, after a byte order mark, and
// with an unfinished last event.
//
// Damage is an error, never a missing event. A standard reader skips unknown lines; here
// these may be events that lost their first byte, so they are refused. If there are no
// events at all, the lines are not a stream; see Stray.
type Events struct {
	from    *bufio.Reader
	keys    Keys
	stray   []byte
	pending []byte // data of the event being read
	held    []byte // a line that begins the next event
	read    int    // bytes of all lines
	started bool
	began   bool // there was an event
	ended   bool
}

// NewEvents reads the events of a body. keys are their known fields.
func NewEvents(body io.Reader, keys Keys) *Events {
	return &Events{from: bufio.NewReaderSize(body, 16<<10), keys: keys}
}

// Next returns the data of the next event, which is JSON or [DONE], and io.EOF after the
// last one. The data is valid until the next call.
func (e *Events) Next() ([]byte, error) {
	data, err := e.event()
	if err != nil {
		return nil, err
	}
	e.began = true
	if string(data) == Done {
		return data, nil
	}
	return data, e.keys.check(data)
}

// Done ends a stream of OpenAI's APIs and similar ones.
const Done = "[DONE]"

// Stray is what came instead of events, once Next has returned io.EOF: an error, a
// complete answer, a web page. It is empty if there was an event.
func (e *Events) Stray() []byte { return e.stray }

func (e *Events) event() ([]byte, error) {
	e.pending = append(e.pending[:0], e.held...)
	e.held = e.held[:0]
	for !e.ended {
		line, err := e.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		e.ended = errors.Is(err, io.EOF)
		if whole, err := e.take(line); whole || err != nil {
			return e.pending, err
		}
	}
	if len(e.pending) == 0 {
		return nil, io.EOF
	}
	return e.pending, nil
}

// take adds one line. whole reports whether the pending event is complete.
func (e *Events) take(line []byte) (whole bool, err error) {
	name, value, colon := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case len(line) == 0:
		return len(e.pending) > 0, nil
	case lostData(line):
		return false, errDamaged
	case len(name) == 0: // a comment
	case string(name) == "data":
		if len(e.stray) > 0 || !colon { // without a colon, the data is on the next line
			return false, errDamaged
		}
		if isComplete(e.pending) { // after complete data only the next event can follow
			e.held = append(e.held, value...)
			return true, nil
		}
		if len(e.pending) > 0 {
			e.pending = append(e.pending, '\n')
		}
		e.pending = append(e.pending, value...)
	case string(name) != "event" && string(name) != "id" && string(name) != "retry":
		if e.began || len(e.pending) > 0 {
			return false, errDamaged
		}
		e.stray = append(append(e.stray, line...), '\n')
	}
	if len(e.pending)+len(e.stray) > maxEvent {
		return false, errTooLong
	}
	return false, nil
}

// lostData reports whether a line without meaning contains data: what separated them, or
// its first byte, was damaged.
func lostData(line []byte) bool {
	if bytes.HasPrefix(line, []byte("data")) {
		return false
	}
	return bytes.HasPrefix(line, []byte(":ata:")) || bytes.Contains(line, []byte("data: {")) || bytes.Contains(line, []byte("data:{"))
}

// isComplete reports whether data is complete by itself.
func isComplete(data []byte) bool {
	return len(data) > 0 && (string(data) == Done || json.Valid(data))
}

// line returns one line without its end, and io.EOF with the last one. It is valid until
// the next call, because it may be part of the reader's buffer.
func (e *Events) line() ([]byte, error) {
	var line []byte
	for {
		piece, err := e.from.ReadSlice('\n')
		if len(line) == 0 && !errors.Is(err, bufio.ErrBufferFull) {
			line = piece
		} else {
			line = append(line, piece...)
		}
		e.read += len(piece)
		switch {
		case len(line) > maxEvent:
			return nil, errTooLong
		case e.read > maxStream:
			return nil, errEndless
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		}
		if !e.started {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			e.started = true
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
