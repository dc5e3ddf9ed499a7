package anthropic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// answer is a message being received. Blocks have an index, because pieces of several may
// alternate.
type answer struct {
	on      func(agent.Delta)
	peer    wire.Peer
	ids     wire.CallIDs
	blocks  []*partialBlock
	stop    string
	refusal string
	usage   usage
	broken  error                      // what is wrong with a search
	paused  map[string]json.RawMessage // searches that the answer before this began, by id
	said    lifecycle.Response
	event   event // the current event, reused because an answer has thousands
}

// partialBlock is a content block being received. One of an unknown type stays empty and
// is left out.
type partialBlock struct {
	part  agent.Part
	text  strings.Builder // text or thinking
	input []byte          // the pieces of a call's or a search's input
	whole string          // the input that the block started with, if any

	search    string            // the id of the search that it begins
	answered  bool              // its result has come
	citations []json.RawMessage // of a text
}

// take handles the next event. It skips unknown types of events and blocks, because the
// API adds some.
func (a *answer) take(data []byte) (wire.Progress, error) {
	e := &a.event
	*e = event{}
	if err := wire.Decode(data, e); err != nil {
		return wire.Nothing, err
	}
	switch e.Type {
	case "message_start":
		a.usage = usage{}
		a.usage.add(e.Message.Usage)
		a.said = lifecycle.Response{Model: a.peer.Line(e.Message.Model), ID: a.peer.Line(e.Message.ID)}
	case "content_block_start":
		if e.Index != len(a.blocks) {
			return wire.Nothing, a.peer.Malformed(fmt.Sprintf("block %d began where block %d was due", e.Index, len(a.blocks)))
		}
		a.begin(e.Block)
	case "content_block_delta":
		if e.Index < 0 || e.Index >= len(a.blocks) {
			return wire.Nothing, a.peer.Malformed(fmt.Sprintf("a piece of block %d, which has not begun", e.Index))
		}
		a.extend(a.blocks[e.Index], e.Delta)
	case "content_block_stop":
	case "message_delta":
		if e.Delta.StopReason != "" {
			a.stop = e.Delta.StopReason
			a.refusal = cmp.Or(e.Delta.StopDetails.Explanation, e.Delta.StopDetails.Category)
		}
		a.usage.add(e.Usage)
	case "message_stop":
		return wire.Last, nil
	case "error":
		fault := wire.ReadFault(data)
		return wire.Nothing, a.peer.Judge(fault, statusOf(fault.Kind), 0)
	default:
		return wire.Nothing, nil
	}
	return wire.Piece, nil
}

func (a *answer) begin(start startedBlock) {
	b := &partialBlock{}
	switch start.Type {
	case "text":
		b.text.WriteString(start.Text)
		a.emit(agent.Delta{Text: start.Text})
	case "thinking":
		b.text.WriteString(start.Thinking)
		b.part.Thinking = &agent.Thinking{Signature: start.Signature, Provider: Name}
		a.emit(agent.Delta{Thinking: start.Thinking})
	case "redacted_thinking":
		b.part.Thinking = &agent.Thinking{Signature: start.Data, Redacted: true, Provider: Name}
	case "tool_use":
		b.part.Call = &agent.Call{ID: a.ids.Take(start.ID), Name: start.Name}
		b.whole = string(start.Input)
		a.emit(agent.Delta{Call: start.Name})
	case "server_tool_use":
		if start.Name == searchName {
			b.search, b.whole = start.ID, string(start.Input)
			a.emit(agent.Delta{Call: start.Name})
		}
	case "web_search_tool_result":
		a.searched(b, start)
	}
	a.blocks = append(a.blocks, b)
}

// searched joins a result to its search, and passes on what was done.
func (a *answer) searched(b *partialBlock, result startedBlock) {
	s := agent.Search{Provider: Name}
	raw := searched{ID: result.ToolUseID, Result: slices.Clone(result.Content)}
	s.Query = asked(a.paused[result.ToolUseID])
	for _, begun := range a.blocks {
		if begun.search != "" && begun.search == result.ToolUseID {
			raw.Input, begun.answered = begun.callInput(), true
			s.Query = asked(raw.Input)
		}
	}
	found(&s.Searched, result.Content)
	var err error
	if s.Raw, err = json.Marshal(raw); err != nil { // the input was cut or changed on the way
		a.broken = a.peer.Malformed("the input of a search is not JSON")
		return
	}
	b.part.Search = &s
	done := s.Searched
	a.emit(agent.Delta{Search: &done})
}

func (a *answer) extend(b *partialBlock, d delta) {
	switch {
	case d.Type == "text_delta" && b.part == (agent.Part{}) && b.search == "":
		b.text.WriteString(d.Text)
		a.emit(agent.Delta{Text: d.Text})
	case d.Type == "thinking_delta" && b.part.Thinking != nil:
		b.text.WriteString(d.Thinking)
		a.emit(agent.Delta{Thinking: d.Thinking})
	case d.Type == "signature_delta" && b.part.Thinking != nil:
		b.part.Thinking.Signature += d.Signature
	case d.Type == "citations_delta" && len(d.Citation) > 0:
		b.citations = append(b.citations, slices.Clone(d.Citation))
	case d.Type == "input_json_delta" && (b.part.Call != nil || b.search != ""):
		b.input = append(b.input, d.PartialJSON...)
	}
}

func (a *answer) emit(d agent.Delta) {
	if d != (agent.Delta{}) {
		a.on(d)
	}
}

// response is the complete answer, once message_stop has come.
func (a *answer) response() (agent.Response, error) {
	if a.stop == "" {
		return agent.Response{Usage: a.usage.neutral()}, a.peer.Malformed("it ended without a stop reason")
	}
	r := agent.Response{Stop: stopReason(a.stop), Refusal: a.peer.Line(a.refusal), Usage: a.usage.neutral()}
	if r.Stop == agent.StopUnknown {
		r.Refusal = a.peer.Line(a.stop)
	}
	r.Said = a.said
	r.Said.Finish = a.peer.Line(a.stop)
	r.Message.Role = agent.RoleAssistant
	for _, b := range a.blocks {
		switch {
		case b.search != "" && !b.answered: // the answer is paused
			raw, err := json.Marshal(searched{ID: b.search, Input: b.callInput()})
			if err != nil {
				return agent.Response{Usage: r.Usage}, a.peer.Malformed("the input of a search is not JSON")
			}
			b.part.Search = &agent.Search{Searched: lifecycle.Searched{Query: asked(b.callInput())}, Raw: raw, Provider: Name}
		case b.part.Call != nil:
			b.part.Call.Input = b.callInput()
		case b.part.Search != nil:
		case b.part.Thinking != nil:
			b.part.Thinking.Text = b.text.String()
		default:
			b.part.Text = b.text.String()
		}
		if b.part != (agent.Part{}) {
			r.Message.Parts = append(r.Message.Parts, b.part)
		}
		if part, ok := citing(b.citations); ok && b.part.Text != "" {
			r.Message.Parts = append(r.Message.Parts, part)
		}
	}
	return r, a.broken
}

// callInput is the input as the model wrote it. Servers that do not stream it put it in
// the block's start, which otherwise holds an empty object.
func (b *partialBlock) callInput() json.RawMessage {
	switch {
	case len(b.input) > 0:
		return b.input
	case b.whole != "" && b.whole != "null":
		return json.RawMessage(b.whole)
	}
	return json.RawMessage(`{}`)
}

// pausedTurn is the reason of an answer that the server goes on with when it gets it back: its
// searches took long.
const pausedTurn = "pause_turn"

// stopReason maps Anthropic's reasons. A paused turn is continued before anybody asks for one.
func stopReason(reason string) agent.StopReason {
	switch reason {
	case "end_turn", "stop_sequence":
		return agent.StopEnd
	case "tool_use":
		return agent.StopToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return agent.StopLength
	case "refusal":
		return agent.StopRefused
	}
	return agent.StopUnknown
}
