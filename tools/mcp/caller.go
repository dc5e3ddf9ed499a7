package mcp

import (
	"context"
	"fmt"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
)

// caller is a call under way: who hears how far it is, and who can be asked for it.
type caller struct {
	token string
	ctx   context.Context // ends with the call
	timer *callTimer
	call  agent.Invocation
}

// follow has a server reach whoever made a call until the function it gives is called.
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

// progressed hands a server's word on a call to whoever made it, and keeps the call alive.
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
	by.timer.heard()
	words := line(r.Params.Message, lineLength)
	if words == "" && r.Params.Total > 0 {
		words = fmt.Sprintf("%g of %g", r.Params.Progress, r.Params.Total)
	}
	if words != "" {
		by.call.Report(words)
	}
}

// asker is the call that a question of the server's belongs to. The protocol does not say
// which it is: where several are under way it is the newest. Nil where there is none.
func (c *connection) asker() *caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.callers) == 0 {
		return nil
	}
	return c.callers[len(c.callers)-1]
}
