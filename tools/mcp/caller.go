package mcp

import (
	"context"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
)

// caller is a call in progress: who gets its progress, and who can be asked on its behalf.
type caller struct {
	token string
	ctx   context.Context // done when the call ends
	timer *callTimer
	call  agent.Invocation
}

// follow registers a call until the returned function is called.
func (c *connection) follow(token string, by *caller) func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	by.token = token
	c.callers = append(c.callers, by)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.callers = slices.DeleteFunc(c.callers, func(one *caller) bool { return one == by })
	}
}

// progressed passes a progress message to its call and restarts the call's limit.
func (c *connection) progressed(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
	c.mu.Lock()
	at := slices.IndexFunc(c.callers, func(one *caller) bool { return one.token == r.Params.ProgressToken })
	var by *caller
	if at >= 0 {
		by = c.callers[at]
	}
	c.mu.Unlock()
	if by == nil {
		return
	}
	by.timer.restart()
	words := line(r.Params.Message, lineLength)
	if words == "" && r.Params.Total > 0 {
		words = fmt.Sprintf("%g of %g", r.Params.Progress, r.Params.Total)
	}
	if words != "" {
		by.call.Report(words)
	}
}

// asker is the call that a server's question belongs to. The protocol does not say which; if
// several are in progress it is the newest. Nil if there is none.
func (c *connection) asker() *caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.callers) == 0 {
		return nil
	}
	return c.callers[len(c.callers)-1]
}
