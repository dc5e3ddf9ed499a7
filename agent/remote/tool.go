package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"pawl/agent"
	"pawl/lifecycle"
)

// toolCall is a call of one of the session's tools, which need what only Pawl's process
// has: the database, and authority over what the session started.
type toolCall struct {
	Tool   string           `json:"tool"`
	Call   lifecycle.CallID `json:"call"`
	Input  json.RawMessage  `json:"input"`
	Closed bool             `json:"closed,omitempty"` // Invocation.Closed
	Lost   bool             `json:"lost,omitempty"`   // made by an earlier process: what came of it?
}

// toolResult is an agent.Result as it is sent.
type toolResult struct {
	Text     string           `json:"text"`
	View     json.RawMessage  `json:"view,omitempty"`
	IsError  bool             `json:"is_error,omitempty"`
	Images   []agent.Image    `json:"images,omitempty"`
	Consumes []lifecycle.Told `json:"consumes,omitempty"`
}

// Perform makes Pawl's process run the named tool of Host.Tools. It returns when that has
// run, or promptly when ctx ends.
func (p *Port) Perform(ctx context.Context, tool string, call agent.Invocation) agent.Result {
	return p.tool(ctx, toolCall{Tool: tool, Call: call.Call, Input: call.Input, Closed: call.Closed}, call.Progress)
}

// Lost is Tool.Lost of the named tool, for a call that a dead process left without a result.
func (p *Port) Lost(tool string, call agent.Invocation) agent.Result {
	return p.tool(p.ctx, toolCall{Tool: tool, Call: call.Call, Input: call.Input, Lost: true}, nil)
}

func (p *Port) tool(ctx context.Context, call toolCall, activity func(string)) agent.Result {
	call.Input = sendable(call.Input)
	r, err := p.requestReporting(ctx, fromWorker{Act: actTool, Tool: &call}, activity)
	if err != nil {
		return agent.ErrorResult("Not finished: " + err.Error())
	}
	return r.Result.result()
}

// sendable is what a model wrote as arguments, which may be no JSON.
func sendable(input json.RawMessage) json.RawMessage {
	if json.Valid(input) {
		return input
	}
	text, _ := json.Marshal(string(input)) // a string has a form
	return text
}

func wireResult(r agent.Result) toolResult {
	return toolResult{Text: r.Text, View: agent.EncodeView(r.View), IsError: r.IsError, Images: r.Images, Consumes: r.Consumes}
}

func (r *toolResult) result() agent.Result {
	if r == nil {
		return agent.ErrorResult("Not finished: there is no answer.")
	}
	view, err := agent.DecodeView(r.View)
	if err != nil {
		view = agent.PlainView{Text: r.Text} // the text is enough
	}
	return agent.Result{Text: r.Text, View: view, IsError: r.IsError, Images: r.Images, Consumes: r.Consumes}
}

// toolAsked finds the tool that a worker calls.
func (c *workerConn) toolAsked(asked *toolCall) (agent.Tool, error) {
	if asked == nil {
		return agent.Tool{}, errors.New("no call")
	}
	i := slices.IndexFunc(c.host.Tools, func(tool agent.Tool) bool { return tool.Spec.Name == asked.Tool })
	if i < 0 {
		return agent.Tool{}, fmt.Errorf("there is no tool %q of the session", asked.Tool)
	}
	return c.host.Tools[i], nil
}

// invocation is a worker's call with the authority of its run.
func (c *workerConn) invocation(id int64, asked *toolCall) agent.Invocation {
	run := c.port.Run()
	return agent.Invocation{
		Call: asked.Call, Run: run.ID, Input: asked.Input, Closed: asked.Closed, Folder: run.Folder, Scope: c.port.Scope(),
		Ask: func(ctx context.Context, q lifecycle.Question) (lifecycle.Answer, error) {
			q.Call, q.Tool = asked.Call, asked.Tool
			return c.port.Ask(ctx, q)
		},
		Progress: func(text string) { c.tellActivity(id, text) },
	}
}

// perform runs a worker's call. One that an earlier host may have run is not run again, unless
// that changes nothing.
func (c *workerConn) perform(m fromWorker) (*toolResult, error) {
	tool, err := c.toolAsked(m.Tool)
	if err != nil {
		return nil, err
	}
	call := c.invocation(m.ID, m.Tool)
	lost := m.Tool.Lost || m.Again && !tool.ReadOnly
	var result agent.Result
	switch refused := c.refused(tool, m.Tool, call); {
	case refused != nil:
		result = *refused
	case !lost:
		result = tool.Run(c.ctx, call)
	case tool.Lost != nil:
		result = tool.Lost(call)
	case tool.Server != "":
		result = agent.ErrorResult("This call was cut off when Pawl's process ended. Nobody knows whether it took effect: check before you repeat it.")
	default:
		result = agent.ErrorResult("This call was cut off when the process that made it ended. It can be made again.")
	}
	sent := wireResult(result)
	return &sent, nil
}
