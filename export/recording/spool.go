package recording

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"pawl/export/book"
)

// maxSpool bounds what is taken from a pipe, in bytes: it goes to the disk first.
const maxSpool = 8 << 30

// spool copies a pipe to a temporary file that its owner alone can read and that has no name
// any more: whatever ends the program, it is gone. What does not begin as a document does is
// refused before anything is copied: a device may have no end.
func spool(ctx context.Context, from io.Reader) (file *os.File, size int64, err error) {
	pipe := bufio.NewReader(from)
	if err := begins(pipe); err != nil {
		return nil, 0, err
	}
	file, err = os.CreateTemp("", "pawl-recording-*") // 0600
	if err != nil {
		return nil, 0, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	size, err = io.Copy(book.Until(ctx, file), io.LimitReader(pipe, maxSpool+1))
	if err == nil && size > maxSpool {
		err = fmt.Errorf("the input is larger than %d GB: save it to a file and name that", maxSpool>>30)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, size, nil
}

// begins says whether an object begins, behind at most a line of white space.
func begins(pipe *bufio.Reader) error {
	start, err := pipe.Peek(1)
	switch {
	case errors.Is(err, io.EOF):
		return errEmpty
	case err != nil:
		return err
	case start[0] != '{' && start[0] != ' ' && start[0] != '\n' && start[0] != '\r' && start[0] != '\t':
		return errNoDocument
	}
	return nil
}
