package natstest

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Wire is a way to a server that can be cut.
type Wire struct {
	listener net.Listener
	to       string
	scheme   string
	ctx      context.Context

	mu     sync.Mutex
	open   chan struct{} // closed while bytes pass
	ended  bool
	broken bool // new connections are refused
	conns  map[net.Conn]struct{}
	copies sync.WaitGroup
}

// NewWire makes a way to the server at a host and port, which ends with the test.
func NewWire(t testing.TB, to string) *Wire {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &Wire{listener: listener, to: to, scheme: "nats", ctx: context.WithoutCancel(t.Context()), open: make(chan struct{}), conns: map[net.Conn]struct{}{}}
	close(w.open)
	w.copies.Go(w.accept)
	t.Cleanup(w.close)
	return w
}

// Through makes a way to the server.
func (s *Server) Through(t testing.TB) *Wire {
	t.Helper()
	w := NewWire(t, s.Address())
	w.scheme = s.scheme
	return w
}

// URL is the address of this end.
func (w *Wire) URL() string { return w.scheme + "://" + w.listener.Addr().String() }

// Address is its host and port.
func (w *Wire) Address() string { return strings.TrimPrefix(w.URL(), w.scheme+"://") }

// Cut lets nothing pass any more, in both directions, and tells nobody: as a network that parts.
// What was sent passes after Heal, on those connections that are then still open.
func (w *Wire) Cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.open:
		w.open = make(chan struct{})
	default:
	}
}

// Break closes all connections and refuses new ones.
func (w *Wire) Break() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = true
	for conn := range w.conns {
		_ = conn.Close()
	}
}

// Heal ends a Cut or a Break.
func (w *Wire) Heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heal()
}

func (w *Wire) heal() {
	w.broken = false
	select {
	case <-w.open:
	default:
		close(w.open)
	}
}

func (w *Wire) close() {
	_ = w.listener.Close()
	w.mu.Lock()
	w.ended = true
	for conn := range w.conns {
		_ = conn.Close()
	}
	w.heal()
	w.mu.Unlock()
	w.copies.Wait()
}

func (w *Wire) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		w.copies.Go(func() { w.connect(near) })
	}
}

// connect joins a connection with the server, once bytes pass.
func (w *Wire) connect(near net.Conn) {
	defer func() { _ = near.Close() }()
	if !w.keep(near) {
		return
	}
	defer w.drop(near)
	w.pass()
	far, err := (&net.Dialer{}).DialContext(w.ctx, "tcp", w.to)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	if !w.keep(far) {
		return
	}
	defer w.drop(far)
	var both sync.WaitGroup
	both.Go(func() { w.copy(far, near) })
	both.Go(func() { w.copy(near, far) })
	both.Wait()
}

func (w *Wire) keep(conn net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken || w.ended {
		return false
	}
	w.conns[conn] = struct{}{}
	return true
}

func (w *Wire) drop(conn net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, conn)
}

// pass waits until bytes pass.
func (w *Wire) pass() {
	for {
		w.mu.Lock()
		open := w.open
		w.mu.Unlock()
		<-open
		w.mu.Lock()
		same := open == w.open
		w.mu.Unlock()
		if same {
			return
		}
	}
}

func (w *Wire) copy(to, from net.Conn) {
	defer func() { _ = to.Close() }()
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		w.pass()
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
