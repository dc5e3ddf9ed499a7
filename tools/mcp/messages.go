package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// messages is a program's standard output reduced to messages. The SDK ends the session at
// anything else, but programs print greetings, logs and warnings there: those lines are skipped
// and counted.
type messages struct {
	io.Closer
	lines    *bufio.Reader
	observer *observer
	left     []byte // rest of the last message
}

func newMessages(from io.ReadCloser, obs *observer) *messages {
	return &messages{Closer: from, lines: bufio.NewReaderSize(from, 64<<10), observer: obs}
}

// Read returns whole lines with messages.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.left) == 0 {
		text, err := m.line()
		m.left = m.messagesIn(text)
		if len(m.left) == 0 && err != nil {
			return 0, err
		}
	}
	n := copy(p, m.left)
	m.left = m.left[n:]
	return n, nil
}

// line returns the next line, of limited length.
func (m *messages) line() ([]byte, error) {
	var text []byte
	for {
		part, err := m.lines.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case !errors.Is(err, bufio.ErrBufferFull):
			return text, err
		case len(text) > sdk.DefaultMaxLineLength:
			m.observer.skip(text)
			return nil, fmt.Errorf("a line of its standard output is longer than %d MB", sdk.DefaultMaxLineLength>>20)
		}
	}
}

// messagesIn is the part of a line that is for the SDK. Several messages in one array, which early
// versions of the protocol allow and the SDK rejects in later ones, are split.
func (m *messages) messagesIn(text []byte) []byte {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\uFEFF")))
	if len(text) == 0 {
		return nil
	}
	all := []json.RawMessage{text}
	if text[0] == '[' && (json.Unmarshal(text, &all) != nil || len(all) == 0) {
		all = []json.RawMessage{text}
	}
	var out []byte
	for _, one := range all {
		if _, err := jsonrpc.DecodeMessage(one); err != nil {
			m.observer.skip(one)
			continue
		}
		m.observer.read(one)
		out = append(append(out, one...), '\n')
	}
	return out
}
