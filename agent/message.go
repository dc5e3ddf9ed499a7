package agent

import (
	"encoding/json"
	"strings"

	"pawl/lifecycle"
)

// Role says who a message is from.
type Role string

// The roles of a message. There is no system role: Request holds the system prompt beside
// the messages.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one message of a transcript, in no provider's format. A tool message holds
// the results of the assistant message before it, in the order of its calls.
type Message struct {
	Role  Role
	Parts []Part
}

// Part is one piece of a message; exactly one field is set. The order in which the model
// wrote the parts is kept: providers reject thinking that comes back in another place.
type Part struct {
	Text     string
	Thinking *Thinking
	Call     *Call
	Result   *CallResult
	Image    *Image
	Search   *Search
}

// Thinking is the model's reasoning, with what its provider requires back verbatim.
type Thinking struct {
	Text      string
	Signature string // opaque: Anthropic's signature, OpenAI's encrypted content, Gemini's thought signature
	ID        string // the provider's id of the item, if it has one
	Redacted  bool   // there is only a Signature
	Provider  string // who wrote it; other providers are not sent it
}

// Call is a tool call as the model made it.
type Call struct {
	ID        lifecycle.CallID
	Name      string
	Input     json.RawMessage // as the model wrote it; may be invalid JSON
	Signature string          // Gemini attaches its thought signature to the call
	Provider  string          // whose Signature it is
}

// completed adds what some servers leave out: an id, and {} for no arguments.
func (c Call) completed() Call {
	if c.ID == "" {
		c.ID = lifecycle.NewCallID()
	}
	if input := strings.TrimSpace(string(c.Input)); input == "" || input == "null" {
		c.Input = json.RawMessage("{}")
	}
	return c
}

// CallResult is the result of a call.
type CallResult struct {
	Call    lifecycle.CallID
	Name    string
	Text    string // never empty
	IsError bool
	Images  []Image
	// Instructions were read because the call touched a file they are for. A request has them in a
	// message after the results.
	Instructions []Instruction
	Offers       []string // tools that the model is offered from here on
}

// Image is an image for a model that takes images.
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

// Calls lists the tool calls of a message in order.
func (m Message) Calls() []Call {
	var calls []Call
	for _, part := range m.Parts {
		if part.Call != nil {
			calls = append(calls, *part.Call)
		}
	}
	return calls
}

// Say returns a user message with one text.
func Say(text string) Message {
	return Message{Role: RoleUser, Parts: []Part{{Text: text}}}
}
