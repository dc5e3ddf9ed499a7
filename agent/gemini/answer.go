package gemini

import (
	"bytes"
	"cmp"
	"strings"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/lifecycle"
)

// answer is a message in the making. Pieces of the same kind that follow one
// another are one part.
type answer struct {
	on      func(agent.Delta)
	peer    wire.Peer
	ids     wire.CallIDs
	parts   []*part
	finish  genai.FinishReason
	words   string // about a refusal
	blocked bool   // the question was refused before there was an answer
	token   []byte // continues an answer that finished with CONTINUATION
	usage   usage
	said    lifecycle.Response
	telling bool // whoever listens is being told; it stays so where that panics
}

// part is one part under way; text is what is said, or thought, in it.
type part struct {
	agent.Part
	text strings.Builder
}

func (a *answer) tell(d agent.Delta) {
	a.telling = true
	a.on(d)
	a.telling = false
}

// add takes the next chunk.
func (a *answer) add(chunk *genai.GenerateContentResponse) {
	if chunk.UsageMetadata != nil {
		a.usage.set(*chunk.UsageMetadata)
	}
	a.said.ID, a.said.Model = cmp.Or(chunk.ResponseID, a.said.ID), cmp.Or(chunk.ModelVersion, a.said.Model)
	if f := chunk.PromptFeedback; f != nil && f.BlockReason != "" {
		a.blocked, a.words = true, cmp.Or(f.BlockReasonMessage, string(f.BlockReason))
	}
	if len(chunk.Candidates) == 0 || chunk.Candidates[0] == nil {
		return
	}
	candidate := chunk.Candidates[0] // Pawl asks for one
	if a.finish != "" {
		return // what follows its end is no part of it
	}
	if candidate.Content != nil {
		for _, part := range candidate.Content.Parts {
			if part != nil {
				a.part(*part)
			}
		}
	}
	if r := candidate.FinishReason; r != "" && r != genai.FinishReasonUnspecified {
		a.finish, a.token = r, candidate.ContinuationToken
		a.words = string(r) // the SDK drops the message beside it
	}
}

func (a *answer) part(of genai.Part) {
	signature := signatureText(of.ThoughtSignature)
	switch {
	case of.FunctionCall != nil:
		call := agent.Call{ID: a.ids.Take(of.FunctionCall.ID), Name: of.FunctionCall.Name, Input: arguments(of.FunctionCall.Args)}
		if signature != "" {
			call.Signature, call.Provider = signature, Name
		}
		a.begin(agent.Part{Call: &call})
		a.tell(agent.Delta{Call: call.Name})
	case of.Thought:
		a.thought(of.Text, signature)
	default:
		a.text(of.Text)
		if signature != "" { // of the text before it, also in a part without text
			a.begin(agent.Part{Thinking: &agent.Thinking{Signature: signature, Redacted: true, Provider: Name}})
		}
	}
}

// begin adds a part.
func (a *answer) begin(of agent.Part) *part {
	p := &part{Part: of}
	a.parts = append(a.parts, p)
	return p
}

// last is the newest part; nil where there is none.
func (a *answer) last() *part {
	if len(a.parts) == 0 {
		return nil
	}
	return a.parts[len(a.parts)-1]
}

// thought goes on with the thought before it, unless that is signed: a signature
// stands for exactly what it came with.
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
		a.tell(agent.Delta{Thinking: text})
	}
}

func (a *answer) text(text string) {
	if text == "" {
		return
	}
	p := a.last()
	if p == nil || p.Thinking != nil || p.Call != nil {
		p = a.begin(agent.Part{})
	}
	p.text.WriteString(text)
	a.tell(agent.Delta{Text: text})
}

// finished says whether the answer is whole.
func (a *answer) finished() bool { return a.finish != "" || a.blocked }

// next begins the next request of an answer that is not whole yet, with the
// token for it. A token that leads nowhere new is none.
func (a *answer) next() (token []byte, more bool) {
	token = a.token
	if a.finish != genai.FinishReasonContinuation || len(token) == 0 || bytes.Equal(token, a.usage.token) {
		return nil, false
	}
	a.finish, a.token = "", nil
	a.usage.next(token)
	return token, true
}

// whole is the parts as they stand.
func (a *answer) whole() []agent.Part {
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

// response is the answer, once the stream has ended.
func (a *answer) response() (agent.Response, error) {
	r := agent.Response{
		Message: agent.Message{Role: agent.RoleAssistant, Parts: a.whole()},
		Usage:   a.usage.neutral(),
	}
	r.Said = lifecycle.Response{Model: a.peer.Line(a.said.Model), ID: a.peer.Line(a.said.ID), Finish: a.peer.Line(string(a.finish))}
	switch {
	case a.finish == "" && a.blocked:
		r.Stop = agent.StopRefused
	case a.finish == "":
		return agent.Response{Usage: r.Usage}, a.peer.Broken(wire.ErrCut)
	case stumbled(a.finish):
		return agent.Response{Usage: r.Usage}, a.peer.Malformed(string(a.finish))
	default:
		r.Stop = stopReason(a.finish, len(r.Message.Calls()) > 0)
	}
	if r.Stop == agent.StopRefused || r.Stop == agent.StopUnknown {
		r.Refusal = a.peer.Line(a.words)
	}
	return r, nil
}
