package machines

import (
	"io"
	"sync"
)

// Receiver is the other end of a Sender: it writes whole lines into a pipe. All methods may be
// called from any goroutine.
type Receiver struct {
	to   io.WriteCloser
	kind Kind

	mu      sync.Mutex
	conn    Conn
	next    int64 // the number that is expected
	line    []byte
	writing bool
	busy    Frame      // what is being written, without its data
	asked   []*Request // wait for the end of that
}

// NewReceiver makes a Receiver of KindUp or KindDown that writes into a pipe, and closes it at the end.
func NewReceiver(to io.WriteCloser, kind Kind) *Receiver { return &Receiver{to: to, kind: kind} }

// Connect begins a connection. A line of which only a part has come is forgotten: it comes again.
func (r *Receiver) Connect(conn Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conn, r.next, r.line = conn, 0, nil
}

// Take takes a frame and answers its request when it is written. It returns at once. What is not of
// the other end of the connection is never written.
func (r *Receiver) Take(f Frame, request *Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case f.Conn != r.conn.Number || f.Number > r.next:
		request.Reply([]byte(frameLater))
	case f.Number < r.next:
		request.Reply([]byte(frameTaken))
	case r.writing && r.busy.Conn == f.Conn: // it was sent again
		r.asked = append(r.asked, request)
	case r.writing:
		request.Reply([]byte(frameLater))
	default:
		r.open(f, request)
	}
}

// open takes the frame that is expected. The lock is held.
func (r *Receiver) open(f Frame, request *Request) {
	data, err := r.conn.Open(r.kind, f)
	switch {
	case err != nil: // somebody else's: the true one is still to come
		request.Reply([]byte(frameLater))
	case len(r.line)+len(data) > maxLine: // no end of Pawl sends that
		request.Reply([]byte(frameOver))
	case f.More:
		r.line = append(r.line, data...)
		r.next++
		request.Reply([]byte(frameTaken))
	default:
		r.writing, r.busy, r.asked = true, Frame{Conn: f.Conn, End: f.End}, []*Request{request}
		if len(r.line) > 0 {
			data = append(r.line, data...)
			r.line = nil
		}
		go r.write(data)
	}
}

// write writes what nobody reads any more to nowhere: that is noticed elsewhere.
func (r *Receiver) write(data []byte) {
	if len(data) > 0 {
		_, _ = r.to.Write(data)
	}
	if r.busy.End {
		_ = r.to.Close()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writing = false
	if r.busy.Conn == r.conn.Number {
		r.next++
	}
	for _, request := range r.asked {
		request.Reply([]byte(frameTaken))
	}
	r.asked = nil
}
