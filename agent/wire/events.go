package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxEvent bounds one event, so that a server cannot fill the memory.
const maxEvent = 32 << 20

// maxStream bounds all of an answer. 128,000 tokens, the most that a model
// gives, are about 26 MB where each of them is an event of 200 bytes.
const maxStream = 256 << 20

var (
	errTooLong = errors.New("the server sent an event of more than 32 MB")
	errEndless = errors.New("the server sent an answer of more than 256 MB")
	errDamaged = fmt.Errorf("%w: it was damaged on its way", ErrUnreadable)
)

// Events reads server-sent events as servers really send them: with any line
// ending, with and without the space and the blank line, joined or not, behind a
// byte order mark, and with a last event that nothing ends.
//
// What is damaged is an error and never an event less. A reader of the standard
// passes over lines that it does not know; here they may be events that lost
// their first letter, so they are refused, unless there is nothing else: then
// they are no stream at all, see Stray.
type Events struct {
	from    *bufio.Reader
	keys    Keys
	stray   []byte
	pending []byte // data of the event that is being read
	held    []byte // a line that begins the next one
	read    int    // bytes of all lines
	started bool
	began   bool // some event came
	ended   bool
}

// NewEvents reads the events of a body. keys are those that an event cannot lose.
func NewEvents(body io.Reader, keys Keys) *Events {
	return &Events{from: bufio.NewReaderSize(body, 16<<10), keys: keys}
}

// Next returns the data of the next event, which is JSON or [DONE], and io.EOF
// after the last one. The data holds until the next call.
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

// Done is what OpenAI's APIs, and those like them, say last.
const Done = "[DONE]"

// Stray is what came instead of events, in front of io.EOF: an error, a whole
// answer, a web page. It is empty where there was an event.
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

// take takes in one line. whole says that the pending event is.
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
		if len(e.stray) > 0 || !colon { // without one, what it held stands on the next line
			return false, errDamaged
		}
		if isComplete(e.pending) { // nothing but the next event follows a whole one
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

// lostData says whether a line that means nothing has data in it that meant
// something: what stood between them, or its first letter, was damaged.
func lostData(line []byte) bool {
	if bytes.HasPrefix(line, []byte("data")) {
		return false
	}
	return bytes.HasPrefix(line, []byte(":ata:")) || bytes.Contains(line, []byte("data: {")) || bytes.Contains(line, []byte("data:{"))
}

// isComplete says whether data can stand alone.
func isComplete(data []byte) bool {
	return len(data) > 0 && (string(data) == Done || json.Valid(data))
}

// line reads one line without its end, and io.EOF with the last one. It holds until
// the next is read: where the reader has all of it, it is the reader's own.
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
