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

// Options connect the editor to the program.
type Options struct {
	// Open opens a session, a new or a stored one. ctx lasts as long as the connection. The
	// error is one line.
	Open func(ctx context.Context, o Opening) (*Session, error)
	// List lists the sessions that can be loaded, newest first; of all folders if folder is
	// empty.
	List    func(ctx context.Context, folder string) ([]Listed, error)
	Kinds   map[string]Kind // kinds of tools, by their names
	Version string
	In      io.Reader
	Out     io.Writer // for the protocol only
	Hide    mask.Mask // masks all that is sent
	// Signals receives the exit code of a signal that asks for the end; Cause is then the cause
	// for the runs.
	Signals <-chan int
	Cause   func(code int) lifecycle.Cause
}

// Serve serves the editor until its connection ends or a signal comes, closes all sessions, and
// returns the exit code. The error is that of a line that could not be read.
func Serve(ctx context.Context, o Options) (code int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	placed := make(chan struct{}, 1) // the line reader lets no second prompt in before it has received the first one's
	e := &editor{options: o, ctx: ctx, sessions: map[lifecycle.SessionID]*session{}, placed: placed}
	out := &maskedWriter{to: o.Out, hide: o.Hide, broken: cancel, wrote: e.answers.written}
	in := &lineReader{from: bufio.NewReader(o.In), answer: out, open: make(chan struct{}), placed: placed, gone: ctx.Done()}
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
	cancel() // the editor is gone, and sessions being opened must not be waited for
	e.closeAll(cause)
	if flooded {
		return 1, errFlooded
	}
	return code, nil
}

// maskedWriter masks messages and writes each in one piece. It ends the connection if a write fails.
type maskedWriter struct {
	mu     sync.Mutex
	to     io.Writer
	hide   mask.Mask
	broken func()
	wrote  func(message []byte) // nil: nobody is told
	once   sync.Once
}

// Write implements io.Writer.
func (s *maskedWriter) Write(message []byte) (int, error) {
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
	if s.wrote != nil {
		s.wrote(message)
	}
	return len(message), nil
}
