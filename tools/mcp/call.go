package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
	"pawl/internal/words"
)

// tool is one of a server's tools for the loop. A server's claim that a tool only reads is not
// believed.
func (s *server) tool(o offered) agent.Tool {
	return agent.Tool{
		Spec: o.spec, Server: s.spec.Name,
		Label: func(input json.RawMessage) string { return line(compact(input), lineLength) },
		Effect: func(_ context.Context, call agent.Invocation) (agent.Effect, error) {
			// Three parts, for rules: no name has a space in it.
			subject := strings.Join([]string{s.spec.Name, words.Cut(strings.Map(fit, o.tool), lineLength), compact(call.Input)}, " ")
			return agent.Effect{Kind: agent.EffectMCP, Subject: subject}, nil
		},
		Run: func(ctx context.Context, call agent.Invocation) agent.Result { return s.call(ctx, o.tool, call) },
	}
}

// compact puts JSON on one line; invalid JSON is kept as it is.
func compact(input json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, input) != nil {
		return line(string(input), len(input)+1)
	}
	return b.String()
}

// callGrace is how long a call that was given up may take to return. One that takes longer is
// blocked in a write to a server that does not read.
const callGrace = time.Second

var errCallLimit = errors.New("the limit of a call")

// call makes one call. It returns within 2 s after ctx ends, or after the limit passes without a
// progress message, whatever the server does.
func (s *server) call(ctx context.Context, tool string, call agent.Invocation) agent.Result {
	var arguments map[string]json.RawMessage
	if json.Unmarshal(call.Input, &arguments) != nil {
		return agent.ErrorResult("Not run: the arguments must be one JSON object.")
	}
	within, timer, cancel := limitCall(ctx, s.spec.limit())
	defer cancel()
	conn, err := s.ready(within)
	if err != nil {
		return s.failed(within, nil, err)
	}
	params := &sdk.CallToolParams{Name: tool, Arguments: call.Input}
	if len(arguments) == 0 {
		params.Arguments = map[string]any{}
	}
	token := string(call.Call)
	params.SetProgressToken(token)
	defer conn.follow(token, &caller{ctx: within, timer: timer, call: call})()
	result, err := limited(within, conn, func(ctx context.Context) (*sdk.CallToolResult, error) { return conn.session.CallTool(ctx, params) })
	s.judge(err)
	if err != nil {
		return s.failed(within, conn, err)
	}
	return resultOf(result)
}

// failed is the result of a call that the server gave no result for.
func (s *server) failed(ctx context.Context, conn *connection, err error) agent.Result {
	const unknown = "Nobody knows whether it took effect: check before you repeat it."
	said := serverError(err)
	switch {
	case errors.Is(context.Cause(ctx), errCallLimit):
		return agent.ErrorResult(fmt.Sprintf("Stopped: the MCP server %s said nothing for %v. %s", s.spec.Name, s.spec.limit(), unknown))
	case ctx.Err() != nil:
		return agent.ErrorResult("Canceled before it was done. " + unknown)
	case conn == nil:
		return agent.ErrorResult(line(err.Error(), 3*lineLength) + ".")
	case said != nil:
		return agent.ErrorResult(fmt.Sprintf("The MCP server %s refused the call: %s", s.spec.Name, line(said.Message, 10*lineLength)))
	}
	select {
	case <-conn.over:
		return agent.ErrorResult(fmt.Sprintf("The MCP server %s was lost during the call: %s. A later call starts it again. %s", s.spec.Name, line(conn.ending().Error(), 3*lineLength), unknown))
	case <-time.After(callGrace):
		return agent.ErrorResult(fmt.Sprintf("The MCP server %s could not be asked: %s. %s", s.spec.Name, why(err), unknown))
	}
}
