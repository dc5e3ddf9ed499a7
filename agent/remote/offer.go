package remote

import (
	"context"
	"encoding/json"

	"pawl/agent"
	"pawl/internal/words"
)

// Offered is one of the session's tools that a worker's model is offered, such as one of an MCP
// server: its calls are made by Pawl's process.
type Offered struct {
	Spec     agent.ToolSpec `json:"spec"`
	Server   string         `json:"server,omitempty"`
	ReadOnly bool           `json:"read_only,omitempty"`
	Effect   bool           `json:"effect,omitempty"` // a call needs permission
}

// Offer lists tools for the configuration of a worker. They must be among Host.Tools.
func Offer(tools []agent.Tool) []Offered {
	var all []Offered
	for _, tool := range tools {
		all = append(all, Offered{tool.Spec, tool.Server, tool.ReadOnly, tool.Effect != nil})
	}
	return all
}

// toolEffect is an agent.Effect as it is sent.
type toolEffect struct {
	Kind       agent.EffectKind `json:"kind"`
	Subject    string           `json:"subject"`
	View       json.RawMessage  `json:"view,omitempty"`
	AlwaysAsk  string           `json:"always_ask,omitempty"`
	Background bool             `json:"background,omitempty"`
}

// maxOfferedLabel bounds the label of a call, in characters.
const maxOfferedLabel = 200

// Tools are the tools that were offered. Permission is decided where the run works, as for any
// tool, and again by Pawl's process, which says what a call would do and makes it.
func (p *Port) Tools(offered []Offered) []agent.Tool {
	var all []agent.Tool
	for _, one := range offered {
		tool := agent.Tool{
			Spec: one.Spec, Server: one.Server, ReadOnly: one.ReadOnly,
			Label: func(input json.RawMessage) string { return words.CutLine(string(input), maxOfferedLabel) },
			Run: func(ctx context.Context, call agent.Invocation) agent.Result {
				call.Input = p.textAtHome(call.Input) // as in the question about it
				return p.Perform(ctx, one.Spec.Name, call)
			},
			Lost: func(call agent.Invocation) agent.Result { return p.Lost(one.Spec.Name, call) },
		}
		if one.Effect {
			tool.Effect = func(ctx context.Context, call agent.Invocation) (agent.Effect, error) {
				return p.effect(ctx, toolCall{Tool: one.Spec.Name, Call: call.Call, Input: sendable(p.textAtHome(call.Input))})
			}
		}
		all = append(all, tool)
	}
	return all
}

func (p *Port) effect(ctx context.Context, call toolCall) (agent.Effect, error) {
	r, err := p.request(ctx, fromWorker{Act: actEffect, Tool: &call})
	if err != nil || r.Effect == nil {
		return agent.Effect{}, err
	}
	effect := agent.Effect{Kind: r.Effect.Kind, Subject: r.Effect.Subject, AlwaysAsk: r.Effect.AlwaysAsk, Background: r.Effect.Background}
	if view, err := agent.DecodeView(r.Effect.View); err == nil { // the subject is enough
		effect.View = view
	}
	return effect, nil
}

// effectOf says what a worker's call would do.
func (c *workerConn) effectOf(m fromWorker) (*toolEffect, error) {
	tool, err := c.toolAsked(m.Tool)
	if err != nil || tool.Effect == nil {
		return nil, err
	}
	effect, err := tool.Effect(c.ctx, c.invocation(m.ID, m.Tool))
	if err != nil {
		return nil, err
	}
	return &toolEffect{effect.Kind, effect.Subject, agent.EncodeView(effect.View), effect.AlwaysAsk, effect.Background}, nil
}
