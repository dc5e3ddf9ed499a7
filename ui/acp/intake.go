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
	line   []byte          // what is left of the one that is being handed on
	err    error           // why there is no more; read it behind the connection's end
	placed <-chan struct{} // rings when a prompt has its place among the turns
	behind bool            // a prompt was handed on, and has none yet
	gone   <-chan struct{} // closed with the connection
}

// Read implements io.Reader.
func (in *intake) Read(b []byte) (int, error) {
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

// wait holds what stands behind a prompt until that has its place: the SDK carries each
// request out on a goroutine of its own, and a cancel that comes with its prompt would
// find nothing to stop.
func (in *intake) wait() {
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

// offered are the methods that the editor may call. The SDK knows more, and would judge
// the words of a call before it says that nobody answers it.
func offered() []string {
	return []string{
		sdk.AgentMethodInitialize, sdk.AgentMethodAuthenticate, sdk.AgentMethodSessionNew, sdk.AgentMethodSessionLoad,
		sdk.AgentMethodSessionResume, sdk.AgentMethodSessionList, sdk.AgentMethodSessionClose, sdk.AgentMethodSessionPrompt,
		sdk.AgentMethodSessionCancel, sdk.AgentMethodSessionSetMode, sdk.AgentMethodSessionSetConfigOption,
	}
}

// look gives the answer to a line that is no message of JSON-RPC, or that calls what is
// not offered; nil for any other and for a blank one. It says whether the line is a prompt
// that reaches Prompt: the SDK refuses others itself, after the same two checks.
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
	case len(message.ID) == 0 || string(message.ID) == "null": // nobody could be told how it ends
		return refusal(codeNoMessage, message.Method+" is a request: it needs an id"), false
	}
	var request sdk.PromptRequest
	return nil, json.Unmarshal(message.Params, &request) == nil && request.Validate() == nil
}

// refusal has no id: nobody knows which message it would be.
func refusal(code int, says string) []byte { return refusalOf(json.RawMessage("null"), code, says) }

func refusalOf(id json.RawMessage, code int, says string) []byte {
	words, _ := json.Marshal(says) // a text always can be
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`+"\n", id, code, words)
}
