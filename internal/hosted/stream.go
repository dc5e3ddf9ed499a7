package hosted

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pawl/internal/fleet"
	"pawl/internal/socket"
	"pawl/lifecycle"
)

// ErrGone says that the process that drove a session ended before it was done.
var ErrGone = errors.New("the process that had the session open is gone")

// line is a line of a stream, as far as it is looked at here.
type line struct {
	text  []byte // with its line break
	Type  string `json:"type"`
	Event string `json:"event"`
	Line  int    `json:"line"`
	OK    bool   `json:"ok"`
	Error string `json:"error"`
	Demo  bool   `json:"demo"`
	Data  struct {
		Question lifecycle.QuestionID `json:"question"`
		Who      string               `json:"who"`
		Tool     string               `json:"tool"`
		Subject  string               `json:"subject"`
	} `json:"data"`
	Questions []fleet.Question `json:"questions"`
}

// reader reads lines of any length.
type reader struct{ in *bufio.Reader }

// next is the next line. The error at the end is io.EOF, that of a refused connection what the host
// says.
func (r reader) next() (line, error) {
	text, err := r.in.ReadBytes('\n')
	if err != nil {
		if len(text) > 0 || errors.Is(err, io.EOF) {
			err = io.EOF // half a line is of somebody who is gone
		}
		return line{}, err
	}
	if refused := socket.Refusal(text); refused != nil {
		return line{}, refused
	}
	l := line{text: text}
	if json.Unmarshal(text, &l) != nil || l.Type == "" {
		return line{}, errors.New("what answers there is no Pawl: it writes other lines")
	}
	return l, nil
}

// write writes one order.
func (s *Session) write(order any) error {
	text, err := json.Marshal(order)
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
	if err := s.write(watchOrder{"watch", from, partial}); err != nil {
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
		case l.Type == "reply" && !l.OK:
			return errors.New(l.Error)
		case l.Type == "reply":
			continue
		}
		if _, err := out.Write(l.text); err != nil {
			return fmt.Errorf("write standard output: %w", err)
		}
	}
}

// renumbered is a reply to another program's line, which does not know of those before it.
func renumbered(l line, before int) ([]byte, error) {
	var reply fleet.Reply
	if err := json.Unmarshal(l.text, &reply); err != nil {
		return nil, fmt.Errorf("read a reply: %w", err)
	}
	reply.Line -= before
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(reply)
	return text.Bytes(), err
}
