//go:build linux

package orders

import (
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// wire is a way to a server on loopback. While it is cut nothing comes through it, either way, and
// no end of a connection is told; what was under way comes when it is healed, as TCP sends again.
type wire struct {
	listener net.Listener
	target   string
	all      sync.WaitGroup

	mu    sync.Mutex
	open  chan struct{} // closed while it is not cut
	conns map[net.Conn]bool
	over  bool
}

func newWire(t testing.TB, target string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &wire{listener: listener, target: target, open: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(w.open)
	w.all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // it is closed
			}
			w.all.Go(func() { w.carry(conn) })
		}
	})
	t.Cleanup(w.close)
	return w
}

func (w *wire) address() string { return w.listener.Addr().String() }

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.open:
		w.open = make(chan struct{})
	default: // it is cut
	}
}

func (w *wire) heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.open:
	default:
		close(w.open)
	}
}

// through waits until something can pass.
func (w *wire) through() {
	w.mu.Lock()
	open := w.open
	w.mu.Unlock()
	<-open
}

func (w *wire) close() {
	w.heal()
	_ = w.listener.Close()
	w.mu.Lock()
	w.over = true
	for conn := range w.conns {
		_ = conn.Close()
	}
	w.mu.Unlock()
	w.all.Wait()
}

// holds notes a connection that close is to close; false if that is over.
func (w *wire) holds(conn net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns[conn] = true
	return !w.over
}

// drop closes a connection.
func (w *wire) drop(conn net.Conn) {
	_ = conn.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, conn)
}

// carry joins a connection with the server, where there is one.
func (w *wire) carry(near net.Conn) {
	defer w.drop(near)
	if !w.holds(near) {
		return
	}
	w.through()
	far, err := net.Dial("tcp", w.target)
	if err != nil {
		return
	}
	defer w.drop(far)
	if !w.holds(far) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { w.pump(far, near) })
	both.Go(func() { w.pump(near, far) })
	both.Wait()
}

// pump copies one direction until either side ends, and then ends both.
func (w *wire) pump(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		w.through()
		if n > 0 {
			if _, failed := to.Write(buffer[:n]); failed != nil {
				err = failed
			}
		}
		if err != nil {
			_ = to.Close()
			_ = from.Close()
			return
		}
	}
}

// TestAWireThatIsCutHoldsWhatIsUnderWay: the play below means that by cutting a machine off.
func TestAWireThatIsCutHoldsWhatIsUnderWay(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	w := newWire(t, server.Addr().String())
	near, err := net.Dial("tcp", w.address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = near.Close() })
	far, err := server.Accept()
	require.NoError(t, err)
	w.cut()
	_, err = io.WriteString(far, "late")
	require.NoError(t, err)
	require.NoError(t, far.Close())
	came := make(chan string, 1)
	go func() {
		all, _ := io.ReadAll(near) // an end of any kind
		came <- string(all)
	}()
	select {
	case <-came:
		require.Fail(t, "something came through")
	case <-clock(heldLong):
	}
	w.heal()
	require.Equal(t, "late", <-came)
}
