package acp

import (
	"context"
	"io"
	"log/slog"
	"sync"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

// Options are the program that an editor speaks to.
type Options struct {
	// Open opens a session, a new one or one that is kept. ctx lasts as long as the
	// connection. The error is one line.
	Open func(ctx context.Context, o Opening) (*Session, error)
	// List lists what can be loaded, the newest first; of all folders where none is named.
	List    func(ctx context.Context, folder string) ([]Listed, error)
	Kinds   map[string]Kind // of tools, by their names
	Version string
	In      io.Reader
	Out     io.Writer // for the protocol alone
	Hide    mask.Mask // of all that is sent
	// Signals gives the exit code of a signal that asks for the end, and Cause why the
	// runs end with it.
	Signals <-chan int
	Cause   func(code int) lifecycle.Cause
}

// Serve speaks to the editor until its end of the line is gone or a signal comes,
// closes all sessions, and returns the exit code.
func Serve(ctx context.Context, o Options) (code int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := &editor{options: o, ctx: ctx, sessions: map[lifecycle.SessionID]*session{}}
	in := &gate{Reader: o.In, open: make(chan struct{})}
	conn := sdk.NewAgentSideConnection(e, &spout{to: o.Out, hide: o.Hide, broken: cancel}, in)
	conn.SetLogger(slog.Default())
	e.client = conn
	close(in.open)
	cause := lifecycle.CauseProcessEnd
	select {
	case <-conn.Done():
	case <-ctx.Done():
	case code = <-o.Signals:
		cause = o.Cause(code)
	}
	e.closeAll(cause)
	return code
}

// gate lets nothing in before the connection stands that answers it.
type gate struct {
	io.Reader
	open chan struct{}
}

// Read implements io.Reader.
func (g *gate) Read(b []byte) (int, error) {
	<-g.open
	return g.Reader.Read(b)
}

// spout masks each message, and ends the connection when nobody takes them any more.
// The SDK writes one whole message at a time, under a lock.
type spout struct {
	to     io.Writer
	hide   mask.Mask
	broken func()
	once   sync.Once
}

// Write implements io.Writer.
func (s *spout) Write(message []byte) (int, error) {
	if _, err := s.to.Write(s.hide.JSON(nil, message)); err != nil {
		s.once.Do(func() {
			slog.Error("write to the editor", "error", err)
			s.broken()
		})
		return 0, err
	}
	return len(message), nil
}
