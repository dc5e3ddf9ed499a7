package mcp

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/tools/mcp/oauth"
)

const (
	// exitGrace is how long a server may take to exit after its input has ended, and forced how
	// long after its connection is cut: the launcher's 2 s and a margin for loaded machines.
	exitGrace = 500 * time.Millisecond
	killGrace = 2500 * time.Millisecond
	// The first version of the protocol that is offered. A newer one begins with another
	// message, at which some current servers exit.
	firstVersion = "2025-11-25"
)

// connection is one session with a server.
type connection struct {
	session *sdk.ClientSession
	link    link
	stale   chan struct{} // has a value when what it offers has changed
	over    chan struct{} // closed when the session has ended completely
	cause   error         // why it ended, valid when over is closed; nil if not known

	mu      sync.Mutex
	callers []*caller // calls in progress, newest last
}

// connect opens a session. It returns when ctx ends, whatever the server does. If there is no
// session the connection is cut.
func connect(ctx context.Context, w link, o Options, protocol string) (*connection, error) {
	c := &connection{link: w, stale: make(chan struct{}, 1), over: make(chan struct{})}
	client := sdk.NewClient(&sdk.Implementation{Name: "pawl", Version: o.Version}, &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{RootsV2: &sdk.RootCapabilities{}}, //nolint:staticcheck // servers of today ask for roots
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { c.outdated() },
		PromptListChangedHandler:    func(context.Context, *sdk.PromptListChangedRequest) { c.outdated() },
		ResourceListChangedHandler:  func(context.Context, *sdk.ResourceListChangedRequest) { c.outdated() },
		ProgressNotificationHandler: c.progressed,
		ElicitationHandler:          c.elicited,
	})
	client.AddRoots(&sdk.Root{URI: (&url.URL{Scheme: "file", Path: o.Folder}).String(), Name: filepath.Base(o.Folder)}) //nolint:staticcheck // as above
	type opened struct {
		session *sdk.ClientSession
		err     error
	}
	done := make(chan opened, 1)
	go func() {
		session, err := client.Connect(ctx, w.transport, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
		done <- opened{session, err}
	}()
	select {
	case o := <-done:
		if o.err == nil {
			c.session = o.session
			go c.awaitEnd()
			return c, nil
		}
		return nil, c.refused(ctx, o.err)
	case <-ctx.Done():
		w.cut()
		go func() { // Connect returns now that the connection is cut
			if o := <-done; o.session != nil {
				_ = o.session.Close()
			}
		}()
		return nil, c.refused(ctx, context.Cause(ctx))
	}
}

// refused returns why there is no session: if a program has ended, its own end says it best.
func (c *connection) refused(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		select {
		case <-c.link.gone:
		case <-time.After(exitGrace):
		}
	}
	c.link.cut()
	select {
	case <-c.link.gone:
	case <-time.After(killGrace):
	}
	ended, said := c.link.words()
	answered := !errors.Is(err, io.EOF) && !errors.Is(err, sdk.ErrConnectionClosed)
	if ended != "" && (ended != exitedNormally || !answered) { // otherwise it exited because its answer was rejected
		return &downReason{Why: ended + c.link.observer.words(), Said: said, Err: err}
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return &downReason{Why: why(err) + c.link.observer.words(), Said: c.link.said(), Err: err}
}

// awaitEnd waits for the end of the session and cleans up.
func (c *connection) awaitEnd() {
	c.cause = c.session.Wait()
	select {
	case <-c.link.gone:
	case <-time.After(exitGrace):
	}
	c.link.cut()
	<-c.link.gone
	close(c.over)
}

// close ends the session: in order if the server cooperates, else by force. It returns when
// nothing is left, after 3 s at most.
func (c *connection) close() {
	go func() { _ = c.session.Close() }() // the error does not matter any more
	select {
	case <-c.over:
		return
	case <-time.After(exitGrace):
	}
	c.link.cut()
	select {
	case <-c.over:
	case <-time.After(killGrace):
	}
}

func (c *connection) ended() bool {
	select {
	case <-c.over:
		return true
	default:
		return false
	}
}

func (c *connection) ending() *downReason {
	ended, said := c.link.words()
	if ended == "" && c.cause != nil {
		ended = why(c.cause)
	}
	if ended == "" {
		ended = "it ended the connection"
	}
	return &downReason{Why: ended, Said: said, Err: c.cause}
}

func (c *connection) outdated() {
	select {
	case c.stale <- struct{}{}:
	default: // already noted
	}
}

// downReason is why a server cannot be used, in one line, and the last line of its standard error.
type downReason struct {
	Why, Said string
	Err       error
}

func (l *downReason) Error() string {
	if l.Said == "" {
		return l.Why
	}
	return l.Why + "; its last output: " + l.Said
}

func (l *downReason) Unwrap() error { return l.Err }

// rejected is the SDK's message for a message that did not reach the server: it has the type of
// a protocol error but does not come from the server.
const rejected = "rejected by transport"

// serverError is the server's own error answer; nil if something else went wrong.
func serverError(err error) *jsonrpc.Error {
	var said *jsonrpc.Error
	if !errors.As(err, &said) || said.Message == rejected {
		return nil
	}
	return said
}

// tooNew reports that a server needs a newer protocol than the first version offered.
func tooNew(err error) bool {
	said := serverError(err)
	return said != nil && (said.Code == sdk.CodeUnsupportedProtocolVersion || said.Code == jsonrpc.CodeMethodNotFound)
}

// why puts an error of the protocol on one line for people.
func why(err error) string {
	var asking *url.Error
	var login *oauth.Needed
	switch said := serverError(err); {
	case errors.As(err, &login):
		return line(login.Error(), lineLength)
	case said != nil:
		return "it says: " + line(said.Message, lineLength)
	case errors.As(err, &asking):
		return line(asking.Err.Error(), lineLength)
	}
	return line(err.Error(), lineLength)
}
