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
	Tool  string           `json:"tool"`
	Call  lifecycle.CallID `json:"call"`
	Input json.RawMessage  `json:"input"`
	Lost  bool             `json:"lost,omitempty"` // made by an earlier process: what came of it?
}

// toolResult is an agent.Result as it is sent. These tools return no images.
type toolResult struct {
	Text     string           `json:"text"`
	View     json.RawMessage  `json:"view,omitempty"`
	IsError  bool             `json:"is_error,omitempty"`
	Consumes []lifecycle.Told `json:"consumes,omitempty"`
}

// Perform makes Pawl's process run the named tool of Host.Tools. It returns when that has
// run, or promptly when ctx ends.
func (p *Port) Perform(ctx context.Context, tool string, call agent.Invocation) agent.Result {
	return p.tool(ctx, toolCall{Tool: tool, Call: call.Call, Input: call.Input})
}

// Lost is Tool.Lost of the named tool, for a call that a dead process left without a result.
func (p *Port) Lost(tool string, call agent.Invocation) agent.Result {
	return p.tool(p.ctx, toolCall{Tool: tool, Call: call.Call, Input: call.Input, Lost: true})
}

func (p *Port) tool(ctx context.Context, call toolCall) agent.Result {
	r, err := p.request(ctx, fromWorker{Act: actTool, Tool: &call})
	if err != nil {
		return agent.ErrorResult("Not finished: " + err.Error())
	}
	return r.Result.result()
}

func (r *toolResult) result() agent.Result {
	if r == nil {
		return agent.ErrorResult("Not finished: there is no answer.")
	}
	view, err := agent.DecodeView(r.View)
	if err != nil {
		view = agent.PlainView{Text: r.Text} // the text is enough
	}
	return agent.Result{Text: r.Text, View: view, IsError: r.IsError, Consumes: r.Consumes}
}

// perform runs a worker's call with the authority of its run.
func (c *workerConn) perform(asked *toolCall) (*toolResult, error) {
	if asked == nil {
		return nil, errors.New("no call")
	}
	i := slices.IndexFunc(c.host.Tools, func(tool agent.Tool) bool { return tool.Spec.Name == asked.Tool })
	if i < 0 {
		return nil, fmt.Errorf("there is no tool %q of the session", asked.Tool)
	}
	tool := c.host.Tools[i]
	call := agent.Invocation{Call: asked.Call, Input: asked.Input, Folder: c.port.Run().Folder, Scope: c.port.Scope()}
	var result agent.Result
	switch {
	case !asked.Lost:
		result = tool.Run(c.ctx, call)
	case tool.Lost != nil:
		result = tool.Lost(call)
	default:
		result = agent.ErrorResult("This call was cut off when the process that made it ended. It can be made again.")
	}
	return &toolResult{Text: result.Text, View: agent.EncodeView(result.View), IsError: result.IsError, Consumes: result.Consumes}, nil
}
