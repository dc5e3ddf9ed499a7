package gemini

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// answer is a message being received. Adjacent pieces of one kind are joined to one part.
type answer struct {
	on      func(agent.Delta)
	peer    wire.Peer
	ids     wire.CallIDs
	parts   []*openPart
	finish  string
	words   string // about a refusal
	blocked bool   // the prompt was refused, so there is no answer
	token   string // continues an answer that finished with CONTINUATION
	usage   usage
	said    lifecycle.Response

	begun    []invocation     // searches without their results
	cited    []lifecycle.Page // that the answer rests on
	searches int              // that are billed

	chunk chunk // the current chunk, reused because an answer has thousands
}

// openPart is a part being received; text is its text or thought.
type openPart struct {
	agent.Part
	text strings.Builder
}

// take handles the next chunk. A chunk with a field of an unexpected type is an error,
// because nothing repeats what would be lost.
func (a *answer) take(data []byte) (wire.Progress, error) {
	c := &a.chunk
	*c = chunk{}
	if err := json.Unmarshal(data, c); err != nil {
		if odd, is := errors.AsType[*json.UnmarshalTypeError](err); is {
			return wire.Nothing, a.peer.Malformed(cmp.Or(odd.Field, "an event") + " is a " + odd.Value)
		}
		return wire.Nothing, fmt.Errorf("%w: %w", wire.ErrUnreadable, err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return wire.Nothing, a.peer.Judge(wire.ReadFault(data), 0, 0)
	}
	if c.Usage != nil {
		a.usage.set(*c.Usage)
	}
	a.said.ID, a.said.Model = cmp.Or(c.ResponseID, a.said.ID), cmp.Or(c.ModelVersion, a.said.Model)
	if f := c.Feedback; f.BlockReason != "" {
		a.blocked, a.words = true, cmp.Or(f.BlockReasonMessage, f.BlockReason)
	}
	if len(c.Candidates) > 0 && a.finish == "" { // what follows the end is not part of the answer
		if err := a.candidate(c.Candidates[0]); err != nil { // Pawl asks for one
			return wire.Nothing, err
		}
	}
	switch {
	case a.finish != "" || a.blocked:
		return wire.Whole, nil
	case len(c.Candidates) > 0:
		return wire.Piece, nil
	}
	return wire.Nothing, nil
}

func (a *answer) candidate(c candidate) error {
	for _, part := range c.Content.Parts {
		if err := a.part(part); err != nil {
			return err
		}
	}
	if c.Grounding != nil {
		a.ground(*c.Grounding)
	}
	if r := c.FinishReason; r != "" && r != "FINISH_REASON_UNSPECIFIED" {
		a.finish, a.token, a.words = r, c.ContinuationToken, cmp.Or(c.FinishMessage, r)
	}
	return nil
}

func (a *answer) part(of part) error {
	switch {
	case of.Call != nil:
		input, err := arguments(of.Call.Args)
		if err != nil {
			return a.peer.Malformed("the arguments of a call are not an object")
		}
		call := agent.Call{ID: a.ids.Take(of.Call.ID), Name: of.Call.Name, Input: input}
		if of.Signature != "" {
			call.Signature, call.Provider = of.Signature, Name
		}
		a.begin(agent.Part{Call: &call})
		a.on(agent.Delta{Call: call.Name})
	case len(of.ServerCall)+len(of.ServerResult) > 0:
		return a.server(of)
	case of.Thought:
		a.thought(of.Text, of.Signature)
	default:
		a.text(of.Text)
		if of.Signature != "" { // of the text before it; it may come in a part without text
			a.begin(agent.Part{Thinking: &agent.Thinking{Signature: of.Signature, Redacted: true, Provider: Name}})
		}
	}
	return nil
}

// begin adds a part.
func (a *answer) begin(of agent.Part) *openPart {
	p := &openPart{Part: of}
	a.parts = append(a.parts, p)
	return p
}

// last is the newest part; nil if there is none.
func (a *answer) last() *openPart {
	if len(a.parts) == 0 {
		return nil
	}
	return a.parts[len(a.parts)-1]
}

// thought continues the thought before it, unless that is signed: a signature covers
// exactly what it came with.
func (a *answer) thought(text, signature string) {
	if text == "" && signature == "" {
		return
	}
	p := a.last()
	if p == nil || p.Thinking == nil || p.Thinking.Signature != "" {
		p = a.begin(agent.Part{Thinking: &agent.Thinking{Provider: Name}})
	}
	p.text.WriteString(text)
	p.Thinking.Signature = signature
	if text != "" {
		a.on(agent.Delta{Thinking: text})
	}
}

func (a *answer) text(text string) {
	if text == "" {
		return
	}
	p := a.last()
	if p == nil || p.Thinking != nil || p.Call != nil || p.Search != nil {
		p = a.begin(agent.Part{})
	}
	p.text.WriteString(text)
	a.on(agent.Delta{Text: text})
}

// next prepares the next request of an answer that is not complete, and returns its token.
// A repeated token does not count.
func (a *answer) next() (token string, more bool) {
	token = a.token
	if a.finish != "CONTINUATION" || token == "" || token == a.usage.token {
		return "", false
	}
	a.finish, a.token = "", ""
	a.usage.next(token)
	return token, true
}

// finishedParts returns the parts so far.
func (a *answer) finishedParts() []agent.Part {
	var parts []agent.Part
	for _, p := range a.parts {
		if p.Thinking != nil {
			p.Thinking.Text = p.text.String()
		} else {
			p.Text = p.text.String()
		}
		parts = append(parts, p.Part)
	}
	return parts
}

// used is what the answer has used so far, and nothing else of it.
func (a *answer) used() agent.Response {
	last := a.usage.now
	last.Searches = a.searches // of all its requests
	return agent.Response{Usage: last, Earlier: a.usage.earlier}
}

// response is the answer, once the stream has ended.
func (a *answer) response() (agent.Response, error) {
	a.ended()
	r := a.used()
	r.Message = agent.Message{Role: agent.RoleAssistant, Parts: a.finishedParts()}
	r.Said = lifecycle.Response{Model: a.peer.Line(a.said.Model), ID: a.peer.Line(a.said.ID), Finish: a.peer.Line(a.finish)}
	switch {
	case a.finish == "": // the prompt was blocked
		r.Stop = agent.StopRefused
	case malformed(a.finish):
		return a.used(), a.peer.Malformed(a.finish)
	default:
		r.Stop = stopReason(a.finish, len(r.Message.Calls()) > 0)
	}
	if r.Stop == agent.StopRefused || r.Stop == agent.StopUnknown {
		r.Refusal = a.peer.Line(a.words)
	}
	return r, nil
}
