package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxLine bounds one message of a worker, in bytes: far above any answer or image, and
// small enough for Pawl's memory.
const maxLine = 64 << 20

var errTooLong = fmt.Errorf("a message of more than %d MB", maxLine>>20)

// sender writes whole messages, from any goroutine.
type sender struct {
	mu sync.Mutex
	to io.Writer
}

func (s *sender) send(message any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(message)
}

// sendFirst sends a message ahead of all that is sent after this call, and does not wait until somebody
// reads it. With anew it ends the line that another sender may have begun.
func (s *sender) sendFirst(message any, anew bool) {
	s.mu.Lock()
	go func() {
		defer s.mu.Unlock()
		before := ""
		if anew {
			before = "\n"
		}
		_ = s.writeBehind(before, message) // nobody reads: the other end is ending, which is noticed elsewhere
	}()
}

// write is send for a caller that holds the lock.
func (s *sender) write(message any) error { return s.writeBehind("", message) }

func (s *sender) writeBehind(before string, message any) error {
	line := bytes.NewBufferString(before) // so that a message is written whole, or not at all
	encoder := json.NewEncoder(line)      // ends with a newline
	encoder.SetEscapeHTML(false)          // raw JSON inside it stays as it was written
	if err := encoder.Encode(message); err != nil {
		return err
	}
	_, err := s.to.Write(line.Bytes())
	return err
}

// receiver reads messages of at most limit bytes; 0 is no limit.
type receiver struct {
	from  *bufio.Reader
	limit int
}

func newReceiver(from io.Reader, limit int) *receiver {
	return &receiver{bufio.NewReader(from), limit}
}

// next reads one message. io.EOF means that there are no more.
func (r *receiver) next(message any) error {
	var line []byte
	for {
		piece, err := r.from.ReadSlice('\n')
		line = append(line, piece...)
		switch {
		case r.limit > 0 && len(line) > r.limit:
			return errTooLong
		case err == nil:
			if err := json.Unmarshal(line, message); err != nil {
				return &invalidError{err}
			}
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return io.ErrUnexpectedEOF
		default:
			return err
		}
	}
}

// invalidError says that a line is no message.
type invalidError struct{ error }

func (e *invalidError) Error() string { return "an invalid message: " + e.error.Error() }

// fromHost reads one message of a host. Hosts that ended while they wrote have left half a line each,
// or an empty one, which are skipped if another host follows.
func (r *receiver) fromHost() (toWorker, error) {
	var m toWorker
	err := r.next(&m)
	invalid, is := errors.AsType[*invalidError](err)
	if !is {
		return m, err
	}
	for {
		m = toWorker{}
		next := r.next(&m)
		switch {
		case errors.As(next, &invalid):
		case next != nil || !m.Resume:
			return m, err
		default:
			return m, nil
		}
	}
}
