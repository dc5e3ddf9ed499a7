package machines

import (
	"io"
	"sync"
)

// Receiver is the other end of a Sender: it writes whole lines into a pipe. All methods may be
// called from any goroutine.
type Receiver struct {
	to io.WriteCloser

	mu      sync.Mutex
	conn    uint64
	next    int64 // the number that is expected
	line    []byte
	writing bool
	busy    Frame      // what is being written, without its data
	asked   []*Request // wait for the end of that
}

// NewReceiver makes a Receiver that writes into a pipe, and closes it at the end.
func NewReceiver(to io.WriteCloser) *Receiver { return &Receiver{to: to} }

// Connect begins a connection. A line of which only a part has come is forgotten: it comes again.
func (r *Receiver) Connect(conn uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conn, r.next, r.line = conn, 0, nil
}

// Take takes a frame and answers its request when it is written. It returns at once.
func (r *Receiver) Take(f Frame, request *Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case f.Conn != r.conn || f.Number > r.next:
		request.Reply([]byte(frameLater))
	case f.Number < r.next:
		request.Reply([]byte(frameTaken))
	case r.writing && r.busy.Conn == f.Conn: // it was sent again
		r.asked = append(r.asked, request)
	case r.writing:
		request.Reply([]byte(frameLater))
	case len(r.line)+len(f.Data) > maxLine: // no end of Pawl sends that
		request.Reply([]byte(frameOver))
	case f.More:
		r.line = append(r.line, f.Data...)
		r.next++
		request.Reply([]byte(frameTaken))
	default:
		r.writing, r.busy, r.asked = true, Frame{Conn: f.Conn, End: f.End}, []*Request{request}
		data := f.Data
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
	if r.busy.Conn == r.conn {
		r.next++
	}
	for _, request := range r.asked {
		request.Reply([]byte(frameTaken))
	}
	r.asked = nil
}
