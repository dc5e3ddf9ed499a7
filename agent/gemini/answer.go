package gemini

import (
	"bytes"
	"cmp"

	"google.golang.org/genai"

	"pawl/agent"
	"pawl/agent/wire"
)

// answer is a message in the making. Pieces of the same kind that follow one
// another are one part.
type answer struct {
	on      func(agent.Delta)
	peer    wire.Peer
	ids     wire.CallIDs
	parts   []agent.Part
	finish  genai.FinishReason
	words   string // about a refusal
	blocked bool   // the question was refused before there was an answer
	token   []byte // continues an answer that finished with CONTINUATION
	usage   usage
}

// add takes the next chunk.
func (a *answer) add(chunk *genai.GenerateContentResponse) {
	if chunk.UsageMetadata != nil {
		a.usage.set(*chunk.UsageMetadata)
	}
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

func (a *answer) part(part genai.Part) {
	signature := signatureText(part.ThoughtSignature)
	switch {
	case part.FunctionCall != nil:
		call := agent.Call{ID: a.ids.Take(part.FunctionCall.ID), Name: part.FunctionCall.Name, Input: arguments(part.FunctionCall.Args)}
		if signature != "" {
			call.Signature, call.Provider = signature, Name
		}
		a.parts = append(a.parts, agent.Part{Call: &call})
		a.on(agent.Delta{Call: call.Name})
	case part.Thought:
		a.thought(part.Text, signature)
	default:
		a.text(part.Text)
		if signature != "" { // of the text before it, also in a part without text
			a.parts = append(a.parts, agent.Part{Thinking: &agent.Thinking{Signature: signature, Redacted: true, Provider: Name}})
		}
	}
}

// thought goes on with the thought before it, unless that is signed: a signature
// stands for exactly what it came with.
func (a *answer) thought(text, signature string) {
	if text == "" && signature == "" {
		return
	}
	if n := len(a.parts); n == 0 || a.parts[n-1].Thinking == nil || a.parts[n-1].Thinking.Signature != "" {
		a.parts = append(a.parts, agent.Part{Thinking: &agent.Thinking{Provider: Name}})
	}
	t := a.parts[len(a.parts)-1].Thinking
	t.Text += text
	t.Signature = signature
	if text != "" {
		a.on(agent.Delta{Thinking: text})
	}
}

func (a *answer) text(text string) {
	if text == "" {
		return
	}
	if n := len(a.parts); n == 0 || a.parts[n-1].Text == "" {
		a.parts = append(a.parts, agent.Part{})
	}
	a.parts[len(a.parts)-1].Text += text
	a.on(agent.Delta{Text: text})
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

// response is the answer, once the stream has ended.
func (a *answer) response() (agent.Response, error) {
	r := agent.Response{
		Message: agent.Message{Role: agent.RoleAssistant, Parts: a.parts},
		Usage:   a.usage.neutral(),
	}
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
