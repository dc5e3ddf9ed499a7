package mcp

import (
	"bytes"
	"io"
)

// listener passes the messages of an HTTP answer to the observer before the SDK reads them: each data
// line of a stream, or else the whole answer at its end.
type listener struct {
	observer *observer
	stream   bool
	kept     []byte // the line or answer so far
}

func (l *listener) pass(part []byte, err error) {
	if len(l.kept)+len(part) > longestAnswer {
		l.kept, l.observer = nil, nil // longer than any usable list of tools
	}
	if l.observer == nil {
		return
	}
	l.kept = append(l.kept, part...)
	if !l.stream {
		if err == io.EOF { //nolint:errorlint // as io.ReadAll does
			l.observer.read(l.kept)
			l.kept = nil
		}
		return
	}
	for {
		text, rest, whole := bytes.Cut(l.kept, []byte("\n"))
		if !whole {
			return
		}
		if data, is := bytes.CutPrefix(text, []byte("data:")); is {
			l.observer.read(data)
		}
		l.kept = rest
	}
}
