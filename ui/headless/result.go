package headless

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Result is the last line of a stream, for who prints it as one prompt without a screen does.
type Result struct {
	line []byte
	answer
}

// ReadResult reads such a line.
func ReadResult(line []byte) (Result, error) {
	r := Result{line: bytes.TrimSpace(line)}
	if err := json.Unmarshal(line, &r.answer); err != nil {
		return r, fmt.Errorf("read a result: %w", err)
	}
	return r, nil
}

// Recorded is the result of what the user of a session asked last, as it is recorded. ok is false if
// nothing was asked, or has not ended.
func Recorded(snapshot lifecycle.Snapshot, hide mask.Mask, demo bool) (r Result, ok bool) {
	l := newLedger(snapshot)
	if l.parent().ID == "" || l.working() {
		return r, false
	}
	l.old = l.beforeLastPrompt()
	a := conclude(l, 0)
	a.Demo = demo
	return Result{encodeLine(hide, resultLine{typeResult, a}), a}, true
}

// Code is the exit code.
func (r Result) Code() int { return r.ExitCode }

// WriteText writes the answer; what went wrong goes to errs, one line each.
func (r Result) WriteText(out, errs io.Writer) error { return r.writeText(out, errs) }

// WriteLine writes the line of a stream.
func (r Result) WriteLine(out io.Writer) error {
	_, err := out.Write(append(r.line[:len(r.line):len(r.line)], '\n'))
	return err
}

// WriteJSON writes the object of --output-format json.
func (r Result) WriteJSON(out io.Writer) error {
	object, found := bytes.CutPrefix(r.line, []byte(`{"type":"`+typeResult+`",`))
	if !found {
		return errors.New("read a result: its type does not stand first")
	}
	var text bytes.Buffer
	if err := json.Indent(&text, append([]byte{'{'}, bytes.TrimSpace(object)...), "", "  "); err != nil {
		return fmt.Errorf("read a result: %w", err)
	}
	text.WriteByte('\n')
	_, err := out.Write(text.Bytes())
	return err
}

// TellDemo says for people that a script has answered.
func TellDemo(errs io.Writer) { tell(errs, "DEMO: a script answers, not a model") }
