package acp

import (
	"bufio"
	"context"
	"errors"
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
// closes all sessions, and returns the exit code. The error is of a line that could not
// be read.
func Serve(ctx context.Context, o Options) (code int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	placed := make(chan struct{}, 1) // the intake lets in no second prompt before it has heard of the first
	e := &editor{options: o, ctx: ctx, sessions: map[lifecycle.SessionID]*session{}, placed: placed}
	out := &spout{to: o.Out, hide: o.Hide, broken: cancel}
	in := &intake{from: bufio.NewReader(o.In), answer: out, open: make(chan struct{}), placed: placed, gone: ctx.Done()}
	conn := sdk.NewAgentSideConnection(e, out, in)
	conn.SetLogger(slog.Default())
	e.client = conn
	close(in.open)
	cause, flooded := lifecycle.CauseProcessEnd, false
	select {
	case <-conn.Done():
		flooded = errors.Is(in.err, errFlooded)
	case <-ctx.Done():
	case code = <-o.Signals:
		cause = o.Cause(code)
	}
	cancel() // nobody hears any more, and nobody is to wait for what is still being opened
	e.closeAll(cause)
	if flooded {
		return 1, errFlooded
	}
	return code, nil
}

// spout masks each message, writes it whole, and ends the connection when nobody takes
// them any more.
type spout struct {
	mu     sync.Mutex
	to     io.Writer
	hide   mask.Mask
	broken func()
	once   sync.Once
}

// Write implements io.Writer.
func (s *spout) Write(message []byte) (int, error) {
	s.mu.Lock()
	_, err := s.to.Write(s.hide.JSON(nil, message))
	s.mu.Unlock()
	if err != nil {
		s.once.Do(func() {
			slog.Error("write to the editor", "error", err)
			s.broken()
		})
		return 0, err
	}
	return len(message), nil
}
