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

// longestLine limits one line of input, in bytes: as much as a prompt on standard input.
const longestLine = 10 << 20

// inputLine is one line of input.
type inputLine struct {
	line  int // from 1; blank lines count and are skipped
	id    string
	asked act
	err   error // what is wrong with the line
}

// readInput reads lines until the input ends, and closes to then. Each line takes a slot in room
// first, which whoever answers it frees, so that input is not read endlessly for a program that
// reads no replies. It returns the error that ended the input early.
func readInput(ctx context.Context, in io.Reader, table []order, root lifecycle.SessionID, room chan<- struct{}, to chan<- inputLine) error {
	defer close(to)
	r := bufio.NewReader(in)
	for number := 1; ; number++ {
		text, err := readLine(r)
		if len(bytes.TrimSpace(text)) > 0 || errors.Is(err, errLongLine) {
			h := inputLine{line: number, err: err}
			if !errors.Is(err, errLongLine) {
				h.id, h.asked, h.err = readOrder(text, table, root)
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

// readLine reads to the end of the line or of the input, which may lack a final newline. It
// keeps nothing of a line that is too long.
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
