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

// maxLine bounds one message of a worker, in bytes: far above any answer or
// picture, and below what one gone wild could take of Pawl's memory.
const maxLine = 64 << 20

var errTooLong = fmt.Errorf("a message of more than %d MB", maxLine>>20)

// sender writes messages, whole, from any goroutine.
type sender struct {
	mu sync.Mutex
	to io.Writer
}

func (s *sender) send(message any) error {
	line, err := encode(message)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.to.Write(line)
	return err
}

func encode(message any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line) // ends with a newline
	encoder.SetEscapeHTML(false)      // raw JSON inside it stays as it was written
	err := encoder.Encode(message)
	return line.Bytes(), err
}

// receiver reads messages, of at most so many bytes; 0 is no limit.
type receiver struct {
	from  *bufio.Reader
	limit int
}

func newReceiver(from io.Reader, limit int) *receiver {
	return &receiver{bufio.NewReaderSize(from, 64<<10), limit}
}

// next reads one message. io.EOF says that there is none.
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
				return fmt.Errorf("what is no message: %w", err)
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
