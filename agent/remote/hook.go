package remote

import (
	"context"
	"errors"

	"pawl/agent"
)

// hookInput is an agent.HookInput as it is sent. The run is the one that asks.
type hookInput struct {
	Event  agent.HookEvent `json:"event"`
	Call   *toolCall       `json:"call,omitempty"`
	Result *toolResult     `json:"result,omitempty"`
	Kind   string          `json:"kind,omitempty"`
	Text   string          `json:"text,omitempty"`
	Again  bool            `json:"again,omitempty"`
}

// hookResult is an agent.HookResult as it is sent.
type hookResult struct {
	Decision agent.HookDecision `json:"decision,omitempty"`
	Reason   string             `json:"reason,omitempty"`
	Context  string             `json:"context,omitempty"`
	Warnings []string           `json:"warnings,omitempty"`
}

// Hooks has the user's hooks run by Pawl's process; see Host.Hooks and agent.Kit.Hooks. If that
// process is gone nothing is allowed, because nobody knows what a hook would have said.
func (p *Port) Hooks(ctx context.Context, o agent.HookInput) agent.HookResult {
	asked := &hookInput{Event: o.Event, Kind: o.Kind, Text: o.Text, Again: o.Again}
	if o.Call.Name != "" {
		asked.Call = &toolCall{Tool: o.Call.Name, Call: o.Call.ID, Input: p.textAtHome(sendable(o.Call.Input))}
	}
	if o.Result != nil {
		sent := wireResult(*o.Result)
		sent.Images = nil // no hook reads them
		asked.Result = &sent
	}
	r, err := p.requestReporting(ctx, fromWorker{Act: actHook, Hook: asked}, o.Report)
	switch {
	case err != nil:
		return agent.HookResult{Decision: agent.HookDeny, Reason: "the user's hooks could not be asked: " + err.Error()}
	case r.Hook == nil:
		return agent.HookResult{Decision: agent.HookDeny, Reason: "the user's hooks gave no answer"}
	}
	return agent.HookResult{Decision: r.Hook.Decision, Reason: r.Hook.Reason, Context: r.Hook.Context, Warnings: r.Hook.Warnings}
}

// runHooks runs the hooks for a worker.
func (c *workerConn) runHooks(id int64, asked *hookInput) (*hookResult, error) {
	if asked == nil {
		return nil, errors.New("no hook")
	}
	if c.host.Hooks == nil {
		return nil, errors.New("nobody here runs hooks")
	}
	o := agent.HookInput{
		Event: asked.Event, Run: c.port.Run(), Kind: asked.Kind, Text: asked.Text, Again: asked.Again,
		Report: func(text string) { c.tellActivity(id, text) },
	}
	if asked.Call != nil {
		o.Call = agent.Call{ID: asked.Call.Call, Name: asked.Call.Tool, Input: asked.Call.Input}
	}
	if asked.Result != nil {
		result := asked.Result.result()
		o.Result = &result
	}
	said := c.host.Hooks(c.ctx, o)
	if o.Event == agent.HookPreToolUse && asked.Call != nil {
		c.agreed.hooksSaid(asked.Call.asked(), said.Decision)
	}
	return &hookResult{Decision: said.Decision, Reason: said.Reason, Context: said.Context, Warnings: said.Warnings}, nil
}
