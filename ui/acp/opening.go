package acp

import (
	"context"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/lifecycle"
)

// Route is how front ends reach the sessions.
type Route interface {
	Do(context.Context, lifecycle.Command) (lifecycle.Reply, error)
	Watch(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq, fn func(lifecycle.Updates)) error
}

// Opening describes the session that an editor wants.
type Opening struct {
	Folder  string
	Session string // a stored one; empty: a new one
	Servers []Server
}

// Server is an MCP server that the user has configured in the editor.
type Server struct {
	Name    string
	Command []string // a program and its arguments; or
	URL     string   // an address that speaks streamable HTTP
	Env     map[string]string
	Headers map[string]string
}

// Session is an open session.
type Session struct {
	Route    Route
	Snapshot lifecycle.Snapshot
	Folder   string
	Modes    Choice
	Models   Choice
	// Notices returns what the user has to know now, one line each. It is called before and
	// after each prompt, and each line is sent once. May be nil.
	Notices func() []string
	// Commands are those of files, skills and servers, as they are now. It waits for nothing. May be
	// nil.
	Commands func() []Command
	// Picture stores a picture until forget is called, and returns the path by which a message
	// names it.
	Picture func(mediaType string, data []byte) (path string, forget func(), err error)
	// Close ends the session's runs with this cause and releases it.
	Close func(cause lifecycle.Cause)
}

// Choice is a setting that the user may choose in a session.
type Choice struct {
	All []Option
	Now func() string
	Set func(ctx context.Context, name string) error
}

// Option is one value of a Choice.
type Option struct{ Name, Means string }

// Listed is a session that can be loaded.
type Listed struct {
	ID      lifecycle.SessionID
	Folder  string
	Title   string
	Updated time.Time
}

// Kind is the kind of a tool, by which editors choose an icon.
type Kind = sdk.ToolKind

// The kinds of Pawl's own tools. Other tools have KindOther.
const (
	KindRead    = sdk.ToolKindRead
	KindEdit    = sdk.ToolKindEdit
	KindSearch  = sdk.ToolKindSearch
	KindExecute = sdk.ToolKindExecute
	KindFetch   = sdk.ToolKindFetch
	KindThink   = sdk.ToolKindThink
	KindOther   = sdk.ToolKindOther
)

// serversOf returns the servers that a request names.
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
