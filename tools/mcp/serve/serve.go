package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent/sanitize"
)

// Sessions are what the tools work on. Its methods are called from several goroutines at once. A
// result is written as JSON; an error is told to the other tool's model in one line.
type Sessions interface {
	Start(ctx context.Context, in Start) (any, error)
	List(ctx context.Context) (any, error)
	// Output returns early when ctx ends, which changes nothing. progress is told what the session
	// does while it waits.
	Output(ctx context.Context, in Output, progress func(activity string)) (any, error)
	Send(ctx context.Context, in Send) (any, error)
	Stop(ctx context.Context, in Stop) (any, error)
}

// Serve answers over the streams until the other side closes them or ctx ends. version is Pawl's.
func Serve(ctx context.Context, version string, sessions Sessions, in io.ReadCloser, out io.WriteCloser) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "pawl", Title: "Pawl", Version: version}, &sdk.ServerOptions{
		Instructions: instructions, Logger: slog.New(slog.DiscardHandler),
	})
	add(server, toolStart, func(ctx context.Context, in Start, _ func(string)) (any, error) { return sessions.Start(ctx, in) })
	add(server, toolList, func(ctx context.Context, _ nothing, _ func(string)) (any, error) { return sessions.List(ctx) })
	add(server, toolOutput, sessions.Output)
	add(server, toolSend, func(ctx context.Context, in Send, _ func(string)) (any, error) { return sessions.Send(ctx, in) })
	add(server, toolStop, func(ctx context.Context, in Stop, _ func(string)) (any, error) { return sessions.Stop(ctx, in) })
	return server.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out})
}

// add adds a tool whose arguments are an In.
func add[In any](server *sdk.Server, t tool, do func(context.Context, In, func(string)) (any, error)) {
	server.AddTool(t.described(), func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		if err := t.decode(request.Params.Arguments, &in); err != nil {
			return failed(err), nil
		}
		result, err := do(ctx, in, progressOf(ctx, request))
		if err != nil {
			return failed(err), nil
		}
		text, err := json.Marshal(result)
		if err != nil {
			return failed(err), nil
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}}, nil
	})
}

func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: string(sanitize.Line(sanitize.Ends(err.Error())))}}}
}

// progressOf tells the other side what goes on, if it has asked for that.
func progressOf(ctx context.Context, request *sdk.CallToolRequest) func(string) {
	token, began := request.Params.GetProgressToken(), time.Now()
	return func(activity string) {
		if token == nil {
			return
		}
		_ = request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ // it may be gone, which its next read says
			ProgressToken: token, Progress: time.Since(began).Seconds(), Message: activity,
		})
	}
}

// nothing are the arguments of a tool without any.
type nothing struct{}

// wrongArguments says which arguments there are.
func wrongArguments(name string, err error, takes string) error {
	return fmt.Errorf("%s: %w; it takes %s", name, err, takes)
}
