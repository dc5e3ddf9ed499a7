package chat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"sync"
	"unicode/utf8"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// chunk is one event of a stream. A complete answer from a server that does not stream has
// the same fields, but with a message in place of the delta.
type chunk struct {
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Object  string          `json:"object"`
	ID      string          `json:"id"`
	Model   string          `json:"model"`
}

type choice struct {
	Index        int     `json:"index"`
	Delta        piece   `json:"delta"`
	Message      *piece  `json:"message"`
	FinishReason *string `json:"finish_reason"`
	Usage        *usage  `json:"usage"` // some servers put it here
}

// piece is a part of an answer.
type piece struct {
	Content          json.RawMessage `json:"content"` // a string, or parts
	Refusal          string          `json:"refusal"`
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        string          `json:"reasoning"`
	ToolCalls        []callPiece     `json:"tool_calls"`
}

// keys are the known fields of chunks; see wire.Keys.
var keys = sync.OnceValue(func() wire.Keys {
	keys := wire.KeysOf[chunk]()
	for _, piece := range []string{"delta", "message"} {
		keys["choices"][piece]["content"] = wire.Keys{"type": nil, "text": nil, "thinking": {"type": nil, "text": nil}}
	}
	return keys
})

// inContent marks reasoning that came as part of the content.
const inContent = "content"

// answer collects the chunks of one stream.
type answer struct {
	provider string
	peer     wire.Peer
	on       func(agent.Delta)
	ids      wire.CallIDs

	parts    []*textPart // text and reasoning, in order
	calls    []*call
	usage    lifecycle.Usage
	said     lifecycle.Response
	refusal  string
	finished bool
	reason   string
}

// take handles one chunk. Some servers send empty ones to keep the connection open, and
// some send the usage in one after the end.
func (a *answer) take(data []byte) (wire.Progress, error) {
	var c chunk
	if err := wire.Decode(data, &c); err != nil {
		return wire.Nothing, err
	}
	if len(c.Error) > 0 && string(c.Error) != "null" || c.Object == "error" {
		return wire.Nothing, a.peer.Judge(wire.ReadFault(data), 0, 0)
	}
	a.usage = c.Usage.tokens(a.usage)
	a.said.ID, a.said.Model = cmp.Or(c.ID, a.said.ID), cmp.Or(c.Model, a.said.Model)
	for _, choice := range c.Choices {
		if choice.Index != 0 { // Pawl asks for one answer only
			continue
		}
		a.usage = choice.Usage.tokens(a.usage)
		if choice.Message != nil {
			choice.Delta = *choice.Message
		}
		a.add(choice.Delta)
		if r := choice.FinishReason; r != nil && *r != "" && *r != "null" {
			a.finished, a.reason = true, *r
		}
	}
	switch {
	case a.finished:
		return wire.Whole, nil
	case len(c.Choices) > 0:
		return wire.Piece, nil
	}
	return wire.Nothing, nil
}

func (a *answer) add(p piece) {
	if p.ReasoningContent != "" {
		a.think(p.ReasoningContent, "reasoning_content")
	} else if p.Reasoning != "" {
		a.think(p.Reasoning, "reasoning")
	}
	said, thought := readContent(p.Content)
	if thought != "" {
		a.think(thought, inContent)
	}
	if p.Refusal != "" {
		a.refusal += p.Refusal
		said += p.Refusal
	}
	if said != "" {
		a.say(said)
	}
	for _, c := range p.ToolCalls {
		a.call(c)
	}
}

// readContent reads content that is a string, or parts of text and thinking.
func readContent(raw json.RawMessage) (said, thought string) {
	if text, plain := plainString(raw); plain {
		return text, ""
	}
	if len(raw) == 0 || json.Unmarshal(raw, &said) == nil {
		return said, ""
	}
	var parts []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", ""
	}
	for _, part := range parts {
		inner, _ := readContent(part.Thinking)
		said, thought = said+part.Text, thought+inner
	}
	return said, thought
}

// plainString reads a JSON string without escapes, as most pieces of an answer are,
// without the cost of decoding it.
func plainString(raw json.RawMessage) (text string, plain bool) {
	if len(raw) < 2 || raw[0] != '"' || bytes.IndexByte(raw, '\\') >= 0 || !utf8.Valid(raw) {
		return "", false
	}
	return string(raw[1 : len(raw)-1]), true
}

// textPart is text or reasoning being received. field is the name of the reasoning's
// field; empty for text.
type textPart struct {
	field string
	text  strings.Builder
}

func (a *answer) say(text string) {
	a.write(text, "")
	a.on(agent.Delta{Text: text})
}

func (a *answer) think(text, field string) {
	a.write(text, field)
	a.on(agent.Delta{Thinking: text})
}

// write appends to the last part if it is of the same kind, so that the parts stay in the
// model's order.
func (a *answer) write(text, field string) {
	if n := len(a.parts); n == 0 || (a.parts[n-1].field == "") != (field == "") {
		a.parts = append(a.parts, &textPart{field: field})
	}
	a.parts[len(a.parts)-1].text.WriteString(text)
}

// response is the complete answer, or the error of an answer that only the server
// considers complete.
func (a *answer) response() (agent.Response, error) {
	m := agent.Message{Role: agent.RoleAssistant}
	for _, p := range a.parts {
		part := agent.Part{Text: p.text.String()}
		if p.field != "" {
			part = agent.Part{Thinking: &agent.Thinking{Text: part.Text, Signature: p.field, Provider: a.provider}}
		}
		m.Parts = append(m.Parts, part)
	}
	for _, c := range a.calls {
		m.Parts = append(m.Parts, agent.Part{Call: a.finishedCall(c)})
	}
	stop, err := a.stop()
	if err != nil {
		return agent.Response{Usage: a.usage}, err
	}
	if stop == agent.StopUnknown {
		a.refusal = a.reason
	}
	said := lifecycle.Response{Model: a.peer.Line(a.said.Model), ID: a.peer.Line(a.said.ID), Finish: a.peer.Line(a.reason)}
	return agent.Response{Message: m, Stop: stop, Refusal: a.peer.Line(a.refusal), Usage: a.usage, Said: said}, nil
}

// stop maps the finish_reason. Servers have their own values for it.
func (a *answer) stop() (agent.StopReason, error) {
	temporary := func(message string) (agent.StopReason, error) {
		return "", &agent.ProviderError{Kind: lifecycle.FailProvider, Message: a.peer.Line(message), Temporary: true}
	}
	switch strings.ToLower(a.reason) {
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return agent.StopLength, nil
	case "content_filter", "refusal", "safety", "sensitive", "prohibited_content":
		return agent.StopRefused, nil
	case "error", "network_error", "insufficient_system_resource", "abort", "malformed_function_call":
		return temporary(a.peer.Name + " broke the answer off: " + a.reason)
	case "stop", "eos", "eos_token", "stop_sequence", "end_turn", "complete", "tool_calls", "tool_call", "tool_use", "function_call":
	default:
		return agent.StopUnknown, nil
	}
	switch {
	case a.refusal != "":
		return agent.StopRefused, nil
	case len(a.calls) > 0:
		return agent.StopToolCalls, nil
	case a.reason == "tool_calls" || a.reason == "function_call":
		return temporary(a.peer.Name + ": the model called tools, but the calls did not come")
	}
	return agent.StopEnd, nil
}
