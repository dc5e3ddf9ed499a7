package agent

import (
	"encoding/json"
	"strings"

	"pawl/lifecycle"
)

// Role says whose turn a message is.
type Role string

// The roles of a message. There is no system role: the system prompt travels
// beside the messages, in Request.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one turn of a transcript, in no provider's dialect. A tool message
// holds the results of the assistant message before it, in the order of its
// calls.
type Message struct {
	Role  Role
	Parts []Part
}

// Part is one piece of a message; exactly one of its fields is set. The order of
// the parts is the order in which the model wrote them, and is kept: providers
// refuse thinking that comes back in another place.
type Part struct {
	Text     string
	Thinking *Thinking
	Call     *Call
	Result   *CallResult
	Image    *Image
}

// Thinking is the model's reasoning, with what its provider wants back verbatim.
type Thinking struct {
	Text      string
	Signature string // opaque: Anthropic's signature, OpenAI's encrypted content, Gemini's thought signature
	ID        string // the provider's own id of the item, where it has one
	Redacted  bool   // Signature is all there is
	Provider  string // who wrote it; another provider is not shown it
}

// Call is a tool call as the model made it.
type Call struct {
	ID        lifecycle.CallID
	Name      string
	Input     json.RawMessage // as the model wrote it; it may be no valid JSON
	Signature string          // Gemini hangs its thought signature on the call
	Provider  string          // whose Signature it is
}

// whole is the call with what some servers leave out: an id, and the empty object
// that stands for no arguments.
func (c Call) completed() Call {
	if c.ID == "" {
		c.ID = lifecycle.NewCallID()
	}
	if input := strings.TrimSpace(string(c.Input)); input == "" || input == "null" {
		c.Input = json.RawMessage("{}")
	}
	return c
}

// CallResult answers a call.
type CallResult struct {
	Call    lifecycle.CallID
	Name    string
	Text    string // never empty
	IsError bool
	Images  []Image
}

// Image is a picture for a model that can see.
type Image struct {
	MediaType string // image/png, image/jpeg, image/gif or image/webp
	Data      []byte
}

// Text joins the text parts of a message.
func (m Message) Text() string {
	var text string
	for _, part := range m.Parts {
		text += part.Text
	}
	return text
}

// Calls lists the tool calls of a message in the order in which they were made.
func (m Message) Calls() []Call {
	var calls []Call
	for _, part := range m.Parts {
		if part.Call != nil {
			calls = append(calls, *part.Call)
		}
	}
	return calls
}

// Say makes a user message of one text.
func Say(text string) Message {
	return Message{Role: RoleUser, Parts: []Part{{Text: text}}}
}
