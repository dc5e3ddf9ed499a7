package headless

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"pawl/lifecycle"
)

// longestLine is how much one line of input may hold, in bytes: as much as a prompt
// on standard input.
const longestLine = 10 << 20

// heard is one line of input.
type heard struct {
	line    int // 1 for the first; blank ones count, and are passed over
	id      string
	command lifecycle.Command
	err     error // what is wrong with the line
}

// listen reads lines until the input ends, and closes to then. Each line takes a
// place in room before it goes on: whoever answers it gives the place back, so that a
// program that reads no replies is not listened to for ever. It returns why the input
// ended before its end.
func listen(ctx context.Context, in io.Reader, root lifecycle.SessionID, room chan<- struct{}, to chan<- heard) error {
	defer close(to)
	r := bufio.NewReader(in)
	for number := 1; ; number++ {
		text, err := readLine(r)
		if len(bytes.TrimSpace(text)) > 0 || errors.Is(err, errLongLine) {
			h := heard{line: number, err: err}
			if !errors.Is(err, errLongLine) {
				h.id, h.command, h.err = readOrder(text, root)
			}
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return nil
			}
			select {
			case to <- h:
			case <-ctx.Done():
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, errLongLine):
			return fmt.Errorf("read standard input: %w", err)
		}
	}
}

var errLongLine = errors.New("the line is longer than 10 MB: put the text into a file of the folder and name that")

// readLine reads to the end of the line or of the input, which may come without one.
// Of a line that is too long nothing is kept.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			if long && errors.Is(err, io.EOF) {
				return nil, errors.Join(errLongLine, err)
			}
			return line, err
		case long:
			return nil, errLongLine
		default:
			return line, nil
		}
	}
}
