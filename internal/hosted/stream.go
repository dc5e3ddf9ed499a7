package hosted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"syscall"

	"pawl/internal/fleet"
	"pawl/internal/socket"
)

// ErrGone says that the process that drove a session ended before it was done.
var ErrGone = errors.New("the process that had the session open is gone")

// line is a line of a stream. Its other fields mean something else in each type.
type line struct {
	text  []byte // with its line break
	Type  string `json:"type"`
	Event string `json:"event"`
}

// as reads a line as one of its type. What does not fit is passed over: a newer Pawl may write it.
func as[T any](l line) (read T) {
	_ = json.Unmarshal(l.text, &read)
	return read
}

// reader reads lines of any length.
type reader struct{ in *bufio.Reader }

// next is the next line. The error at the end is io.EOF, that of a refused connection what the host
// says.
func (r reader) next() (line, error) {
	text, err := r.in.ReadBytes('\n')
	if err != nil {
		if len(text) > 0 || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
			err = io.EOF // half a line is of somebody who is gone, and a host that ends may not have read what was written
		}
		return line{}, err
	}
	if refused := socket.Refusal(text); refused != nil {
		return line{}, refused
	}
	l := line{text: text}
	if json.Unmarshal(text, &l) != nil || l.Type == "" {
		return line{}, errors.New("the process listening for this session does not speak Pawl's protocol")
	}
	return l, nil
}

// order writes one order.
func (s *Session) order(what any) error {
	text, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("write an order: %w", err)
	}
	_ = s.conn.WriteLine(text) // whoever reads hears why the host has closed the connection
	return nil
}

// watchOrder begins a stream.
type watchOrder struct {
	Type    string `json:"type"`
	From    *int   `json:"from,omitempty"`
	Partial bool   `json:"partial,omitempty"`
}

// Watch writes the stream of a session until that is left. From is the number of the record behind
// which it begins; nil: what happens from now on.
func (s *Session) Watch(out io.Writer, from *int, partial bool) error {
	if err := s.order(watchOrder{"watch", from, partial}); err != nil {
		return err
	}
	begun := false
	for lines := (reader{bufio.NewReader(s.conn)}); ; begun = true {
		l, err := lines.next()
		switch {
		case errors.Is(err, io.EOF) && begun:
			return nil
		case errors.Is(err, io.EOF):
			return ErrGone
		case err != nil:
			return err
		case l.Type == "reply":
			if reply := as[fleet.Reply](l); !reply.OK {
				return errors.New(reply.Error)
			}
			continue
		}
		if _, err := out.Write(l.text); err != nil {
			return fmt.Errorf("write standard output: %w", err)
		}
	}
}

// renumbered is a reply to another program's line, which does not know of those before it.
func renumbered(reply fleet.Reply, before int) ([]byte, error) {
	reply.Line -= before
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(reply)
	return text.Bytes(), err
}
