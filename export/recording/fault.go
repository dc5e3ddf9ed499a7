package recording

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"pawl/agent/sanitize"
	"pawl/internal/words"
)

// What is wrong with a document as a whole.
var (
	errEmpty      = errors.New("it is empty: export the session again, as JSON")
	errNoDocument = errors.New("it is not JSON: name a file that pawl export --format json wrote")
	errForeign    = errors.New("it is JSON, but not a session that Pawl exported: name a file that pawl export --format json wrote")
	errTooLong    = fmt.Errorf("a value is longer than %d MB", maxValue>>20)
	errCut        = errors.New("it ends in the middle: copy or export it again")
)

// readError is a place of a document at which it is none.
type readError struct {
	name string
	line int64  // 1 for the first; 0 where nobody counted
	what string // record 12, run 3, …; empty for what stands beside the lists
	err  error
}

func (m *readError) Error() string {
	place := ""
	if m.line > 0 {
		place = fmt.Sprintf("line %d: ", m.line)
	}
	// What a document says goes into an error, the names of its members too, and errors are
	// one line of plain text.
	if m.what != "" {
		place += words.CutBytes(string(sanitize.Line(m.what)), longestFault) + ": "
	}
	return fmt.Sprintf("read %s: %s%s", m.name, place, words.CutBytes(string(sanitize.Line(m.err.Error())), longestFault))
}

func (m *readError) Unwrap() error { return m.err }

// longestFault is how much of a fault is told, in bytes: it may quote the document.
const longestFault = 400

// Unreadable words an error of the file system without naming the path twice.
func Unreadable(path string, err error) error {
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("read %s: there is no such file", path)
	case errors.As(err, &at):
		return fmt.Errorf("read %s: %w", path, at.Err)
	}
	return fmt.Errorf("read %s: %w", path, err)
}

// fault names the place of an error, and says for people what the decoder says for
// programmers.
func (w *walk) fault(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if _, is := errors.AsType[*readError](err); is {
		return err
	}
	at := w.offset()
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		at, err = w.rec.size, errCut
	case errors.As(err, &syntax):
		err = fmt.Errorf("%s: copy or export it again", strings.TrimPrefix(syntax.Error(), "json: "))
	case errors.As(err, &kind):
		err = fmt.Errorf("%s cannot be %s", cmp.Or(kind.Field, "it"), article(kind.Value))
	}
	return &readError{name: w.rec.name, line: w.rec.line(at), what: w.what, err: err}
}

// article makes a kind of JSON value readable: "a string", "an object", "number 1e999".
func article(kind string) string {
	switch {
	case strings.Contains(kind, " "), strings.HasPrefix(kind, "bool"):
		return "a " + kind
	case kind == "array" || kind == "object":
		return "an " + kind
	}
	return "a " + kind
}

// line counts the lines up to a place in the file; 0 where it cannot be read.
func (r *Recording) line(at int64) int64 {
	count := int64(1)
	from := io.NewSectionReader(r.file, 0, at)
	for b := make([]byte, 64<<10); ; {
		n, err := from.Read(b)
		count += int64(bytes.Count(b[:n], []byte{'\n'}))
		if errors.Is(err, io.EOF) {
			return count
		}
		if err != nil {
			return 0
		}
	}
}
