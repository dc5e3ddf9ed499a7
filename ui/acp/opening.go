package acp

import (
	"context"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/lifecycle"
)

// Route is how any front end reaches the sessions.
type Route interface {
	Do(context.Context, lifecycle.Command) (lifecycle.Reply, error)
	Watch(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error
}

// Opening is what an editor says of a session that it wants.
type Opening struct {
	Folder  string
	Session string // one that is kept; empty: a new one
	Servers []Server
}

// Server is an MCP server that the editor's user has set up there.
type Server struct {
	Name    string
	Command []string // a program and its arguments; or
	URL     string   // the address of its streamable HTTP
	Env     map[string]string
	Headers map[string]string
}

// Session is an open one.
type Session struct {
	Route    Route
	Snapshot lifecycle.Snapshot
	Folder   string
	Modes    Choice
	Models   Choice
	// Notices is what its user has to know now, a line each. It is asked at each prompt,
	// and each line is told once. Nil: there is nothing.
	Notices func() []string
	// Picture keeps a picture until forget is called, and gives the path by which a
	// message names it.
	Picture func(mediaType string, data []byte) (path string, forget func(), err error)
	// Close ends its runs for this cause and lets go of it.
	Close func(cause lifecycle.Cause)
}

// Choice is something that the user may choose in a session.
type Choice struct {
	All []Option
	Now func() string
	Set func(ctx context.Context, name string) error
}

// Option is one of a Choice.
type Option struct{ Name, Means string }

// Listed is a session that can be loaded.
type Listed struct {
	ID      lifecycle.SessionID
	Folder  string
	Title   string
	Updated time.Time
}

// Kind is the sort of a tool, as editors know it: they choose a picture by it.
type Kind = sdk.ToolKind

// The kinds of Pawl's own tools. Others have KindOther.
const (
	KindRead    = sdk.ToolKindRead
	KindEdit    = sdk.ToolKindEdit
	KindSearch  = sdk.ToolKindSearch
	KindExecute = sdk.ToolKindExecute
	KindFetch   = sdk.ToolKindFetch
	KindThink   = sdk.ToolKindThink
	KindOther   = sdk.ToolKindOther
)

// serversOf are the servers that a request names.
func serversOf(all []sdk.McpServer) ([]Server, error) {
	var servers []Server
	for _, one := range all {
		switch {
		case one.Stdio != nil:
			s := Server{Name: one.Stdio.Name, Command: append([]string{one.Stdio.Command}, one.Stdio.Args...), Env: map[string]string{}}
			for _, v := range one.Stdio.Env {
				s.Env[v.Name] = v.Value
			}
			servers = append(servers, s)
		case one.Http != nil:
			s := Server{Name: one.Http.Name, URL: one.Http.Url, Headers: map[string]string{}}
			for _, h := range one.Http.Headers {
				s.Headers[h.Name] = h.Value
			}
			servers = append(servers, s)
		case one.Sse != nil:
			return nil, invalid("the MCP server %s speaks SSE, which Pawl does not: it takes programs and streamable HTTP", one.Sse.Name)
		default:
			return nil, invalid("an MCP server is reached in a way that Pawl does not know: it takes programs and streamable HTTP")
		}
	}
	return servers, nil
}
