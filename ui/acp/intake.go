package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// longestLine bounds a message of the editor, in bytes. The SDK reads none that is
// longer: it takes the editor for gone, and keeps to itself why.
const longestLine = 10 << 20

var errFlooded = fmt.Errorf("read what the editor says: a message is longer than %d MB, which is the most: send smaller or fewer images", longestLine>>20)

// intake hands the editor's messages on to the SDK, and answers what is none: the SDK
// would pass it over in silence.
type intake struct {
	from   *bufio.Reader
	open   chan struct{} // closed once the connection stands that answers what is let in
	answer io.Writer
	line   []byte // what is left of the one that is being handed on
	err    error  // why there is no more; read it behind the connection's end
}

// Read implements io.Reader.
func (in *intake) Read(b []byte) (int, error) {
	<-in.open
	for len(in.line) == 0 {
		if in.err != nil {
			return 0, in.err
		}
		in.line, in.err = in.next()
		if refusal := refuse(in.line); refusal != nil {
			in.line = nil
			if _, err := in.answer.Write(refusal); err != nil {
				in.err = err
			}
		}
	}
	n := copy(b, in.line)
	in.line = in.line[n:]
	return n, nil
}

// next reads a line. The last may have no end.
func (in *intake) next() ([]byte, error) {
	var line []byte
	for {
		piece, err := in.from.ReadSlice('\n')
		if len(line)+len(piece) >= longestLine {
			return nil, errFlooded
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// refuse is the answer to a line that is no message of JSON-RPC; nil to any other, and to
// a blank one.
func refuse(line []byte) []byte {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var message *struct {
		ID     any             `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	err := json.Unmarshal(line, &message)
	misfit := (*json.UnmarshalTypeError)(nil)
	switch {
	case err != nil && !errors.As(err, &misfit):
		return refusal(codeNoJSON, "the line is no JSON: each line is one message of JSON-RPC 2.0")
	case err != nil || message == nil:
		return refusal(codeNoMessage, "the line is no message of JSON-RPC 2.0: it is an object with a method, or with the result of one")
	}
	return nil
}

// refusal has no id: nobody knows which message it would be.
func refusal(code int, says string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, says)
}
