package anthropic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// answer is a message in the making. Its blocks are addressed by their index,
// since pieces of several may come in turns.
type answer struct {
	on      func(agent.Delta)
	peer    wire.Peer
	ids     wire.CallIDs
	blocks  []*block
	stop    sdk.StopReason
	refusal string
	usage   usage
	said    lifecycle.Response
	done    bool // message_stop has come
}

// block is one content block; a kind that Pawl does not ask for stays empty and
// is left out.
type block struct {
	part  agent.Part
	text  strings.Builder // said, or thought
	input []byte          // the pieces of a call's input
	whole string          // the input as it stood in the block's start, if it did
}

// add takes the next event. Its errors are about the shape of the stream. Events
// and blocks of kinds that it does not know are passed over: the API adds some.
func (a *answer) add(event sdk.MessageStreamEventUnion) error {
	switch event.Type {
	case "message_start":
		a.usage.start(event.Message.Usage)
		a.said = lifecycle.Response{Model: a.peer.Line(event.Message.Model), ID: a.peer.Line(event.Message.ID)}
	case "content_block_start":
		if event.Index != int64(len(a.blocks)) {
			return a.peer.Malformed(fmt.Sprintf("block %d began where block %d was due", event.Index, len(a.blocks)))
		}
		a.begin(event.ContentBlock)
	case "content_block_delta":
		if event.Index < 0 || event.Index >= int64(len(a.blocks)) {
			return a.peer.Malformed(fmt.Sprintf("a piece of block %d, which has not begun", event.Index))
		}
		d := event.Delta
		a.extend(a.blocks[event.Index], delta{d.Type, d.Text, d.Thinking, d.Signature, d.PartialJSON})
	case "message_delta":
		if event.Delta.StopReason != "" {
			a.stop = event.Delta.StopReason
			a.refusal = cmp.Or(event.Delta.StopDetails.Explanation, string(event.Delta.StopDetails.Category))
		}
		a.usage.add(event.Usage)
	case "message_stop":
		a.done = true
	}
	return nil
}

func (a *answer) begin(start sdk.ContentBlockStartEventContentBlockUnion) {
	b := &block{}
	switch start.Type {
	case "text":
		b.text.WriteString(start.Text)
		a.tell(agent.Delta{Text: start.Text})
	case "thinking":
		b.text.WriteString(start.Thinking)
		b.part.Thinking = &agent.Thinking{Signature: start.Signature, Provider: Name}
		a.tell(agent.Delta{Thinking: start.Thinking})
	case "redacted_thinking":
		b.part.Thinking = &agent.Thinking{Signature: start.Data, Redacted: true, Provider: Name}
	case "tool_use":
		b.part.Call = &agent.Call{ID: a.ids.Take(start.ID), Name: start.Name}
		b.whole = start.JSON.Input.Raw()
		a.tell(agent.Delta{Call: start.Name})
	}
	a.blocks = append(a.blocks, b)
}

func (a *answer) extend(b *block, d delta) {
	switch {
	case d.Type == "text_delta" && b.part.Thinking == nil && b.part.Call == nil:
		b.text.WriteString(d.Text)
		a.tell(agent.Delta{Text: d.Text})
	case d.Type == "thinking_delta" && b.part.Thinking != nil:
		b.text.WriteString(d.Thinking)
		a.tell(agent.Delta{Thinking: d.Thinking})
	case d.Type == "signature_delta" && b.part.Thinking != nil:
		b.part.Thinking.Signature += d.Signature
	case d.Type == "input_json_delta" && b.part.Call != nil:
		b.input = append(b.input, d.PartialJSON...)
	}
}

func (a *answer) tell(d agent.Delta) {
	if d != (agent.Delta{}) {
		a.on(d)
	}
}

// response is the whole answer, once message_stop has come.
func (a *answer) response() (agent.Response, error) {
	if a.stop == "" {
		return agent.Response{Usage: a.usage.neutral()}, a.peer.Malformed("it ended without a stop reason")
	}
	r := agent.Response{Stop: stopReason(a.stop), Refusal: a.peer.Line(a.refusal), Usage: a.usage.neutral()}
	if r.Stop == agent.StopUnknown {
		r.Refusal = a.peer.Line(string(a.stop))
	}
	r.Said = a.said
	r.Said.Finish = a.peer.Line(string(a.stop))
	r.Message.Role = agent.RoleAssistant
	for _, b := range a.blocks {
		switch {
		case b.part.Call != nil:
			b.part.Call.Input = b.callInput()
		case b.part.Thinking != nil:
			b.part.Thinking.Text = b.text.String()
		default:
			b.part.Text = b.text.String()
		}
		if b.part != (agent.Part{}) {
			r.Message.Parts = append(r.Message.Parts, b.part)
		}
	}
	return r, nil
}

// callInput is the input as the model wrote it. Servers that do not stream it
// put it into the block's start, where it else is an empty object.
func (b *block) callInput() json.RawMessage {
	switch {
	case len(b.input) > 0:
		return b.input
	case b.whole != "" && b.whole != "null":
		return json.RawMessage(b.whole)
	}
	return json.RawMessage(`{}`)
}

// stopReason maps Anthropic's reasons. pause_turn belongs to tools that run on
// the server, which Pawl does not offer.
func stopReason(reason sdk.StopReason) agent.StopReason {
	switch reason {
	case sdk.StopReasonEndTurn, sdk.StopReasonStopSequence:
		return agent.StopEnd
	case sdk.StopReasonToolUse:
		return agent.StopToolCalls
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		return agent.StopLength
	case sdk.StopReasonRefusal:
		return agent.StopRefused
	case sdk.StopReasonPauseTurn:
		return agent.StopUnknown
	default:
		return agent.StopUnknown
	}
}
