package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	sdk "github.com/coder/acp-go-sdk"
)

// longestLine limits a message of the editor, in bytes. The SDK would take a longer one for the
// end of the connection, without saying why.
const longestLine = 10 << 20

var errFlooded = fmt.Errorf("read the messages of the editor: one is longer than %d MB, the limit: send smaller or fewer images", longestLine>>20)

// lineReader passes the editor's messages to the SDK, and answers invalid ones, which the SDK would
// ignore silently.
type lineReader struct {
	from   *bufio.Reader
	open   chan struct{} // closed once the connection is ready
	answer io.Writer
	line   []byte          // rest of the line being passed on
	err    error           // why input ended; read it after the connection's end
	placed <-chan struct{} // gets a value when a prompt has its place among the turns
	behind bool            // a prompt was passed on and has no place yet
	gone   <-chan struct{} // closed with the connection
}

// Read implements io.Reader.
func (in *lineReader) Read(b []byte) (int, error) {
	<-in.open
	for len(in.line) == 0 {
		if in.err != nil {
			return 0, in.err
		}
		if in.wait(); in.err != nil {
			return 0, in.err
		}
		in.line, in.err = in.next()
		refusal, prompt := look(in.line)
		in.behind = prompt
		if refusal != nil {
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

// wait holds back what comes after a prompt until the prompt has its place: the SDK handles each
// request on a goroutine of its own, and a cancel right after its prompt would find nothing to
// stop.
func (in *lineReader) wait() {
	if !in.behind {
		return
	}
	select {
	case <-in.placed:
	case <-in.gone:
		in.err = io.EOF
	}
	in.behind = false
}

// next reads a line. The last one may lack its newline.
func (in *lineReader) next() ([]byte, error) {
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

// offered are the methods that the editor may call. The SDK knows more, and would check the
// parameters of a call before it says that the method is not supported.
func offered() []string {
	return []string{
		sdk.AgentMethodInitialize, sdk.AgentMethodAuthenticate, sdk.AgentMethodSessionNew, sdk.AgentMethodSessionLoad,
		sdk.AgentMethodSessionResume, sdk.AgentMethodSessionList, sdk.AgentMethodSessionClose, sdk.AgentMethodSessionPrompt,
		sdk.AgentMethodSessionCancel, sdk.AgentMethodSessionSetMode, sdk.AgentMethodSessionSetConfigOption,
	}
}

// look returns the answer to a line that is not a JSON-RPC message or calls a method that is not
// offered, and nil for others and blank lines. prompt reports that the line will reach Prompt:
// the SDK rejects other prompts itself, after the same two checks.
func look(line []byte) (answer []byte, prompt bool) {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil, false
	}
	var message *struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	err := json.Unmarshal(line, &message)
	misfit := (*json.UnmarshalTypeError)(nil)
	switch {
	case err != nil && !errors.As(err, &misfit):
		return refusal(codeNoJSON, "the line is not JSON: each line is one message of JSON-RPC 2.0"), false
	case err != nil || message == nil:
		return refusal(codeNoMessage, "the line is not a JSON-RPC 2.0 message: that is an object with a method, or with the result of one"), false
	case message.Method != "" && len(message.ID) > 0 && !slices.Contains(offered(), message.Method):
		return refusalOf(message.ID, codeNoMethod, "there is no such method here: "+message.Method), false
	case message.Method != sdk.AgentMethodSessionPrompt:
		return nil, false
	case len(message.ID) == 0 || string(message.ID) == "null": // its result could not be sent
		return refusal(codeNoMessage, message.Method+" is a request: it needs an id"), false
	}
	var request sdk.PromptRequest
	return nil, json.Unmarshal(message.Params, &request) == nil && request.Validate() == nil
}

// refusal is an error without an id, because the message has none that can be read.
func refusal(code int, says string) []byte { return refusalOf(json.RawMessage("null"), code, says) }

func refusalOf(id json.RawMessage, code int, says string) []byte {
	words, _ := json.Marshal(says) // a string can always be encoded
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", id, code, words)
}
