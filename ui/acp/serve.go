package acp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

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
	cancel() // nobody hears any more, and nobody is to wait for what is still being opened
	e.closeAll(cause)
	if in.flooded.Load() {
		return 1, fmt.Errorf("read what the editor says: a message is longer than %d MB, which is the most: send smaller or fewer images", longestLine>>20)
	}
	return code, nil
}

// longestLine is the longest message that the SDK reads, in bytes. At a longer one it
// takes the editor for gone, and keeps to itself why.
const longestLine = 10 << 20

// gate lets nothing in before the connection stands that answers it, and notes a line
// that is too long.
type gate struct {
	io.Reader
	open    chan struct{}
	line    int // bytes of the line that is open
	flooded atomic.Bool
}

// Read implements io.Reader.
func (g *gate) Read(b []byte) (int, error) {
	<-g.open
	n, err := g.Reader.Read(b)
	if end := bytes.LastIndexByte(b[:n], '\n'); end >= 0 {
		g.line = n - end - 1
	} else {
		g.line += n
	}
	if g.line >= longestLine {
		g.flooded.Store(true)
	}
	return n, err
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
