package worker

import (
	"errors"

	"pawl/internal/machines"
)

// report sends the host what the process writes, then how it ended, then what it left, until
// nobody wants to hear of it. A host that comes back is told again: its predecessor may have died
// before it recorded what it had acknowledged.
func (r *run) report() {
	for r.wanted.Err() == nil {
		conn := r.connection()
		if errors.Is(r.up.Send(r.wanted), machines.ErrOver) {
			r.over()
		}
		if !r.tellGone(conn) || !r.tellResult(conn) {
			continue
		}
		select {
		case <-r.redialed:
		case <-r.wanted.Done():
		}
	}
}

// tellGone says how the process ended, when it has. It returns false if there is another host.
func (r *run) tellGone(conn machines.Conn) bool {
	for {
		r.mu.Lock()
		gone := r.gone
		r.mu.Unlock()
		if gone != nil {
			return r.tell(conn, machines.KindGone, *gone)
		}
		if !r.wait() {
			return false
		}
	}
}

func (r *run) tellResult(conn machines.Conn) bool {
	for {
		r.mu.Lock()
		result := r.result
		r.mu.Unlock()
		if result != nil {
			return r.tell(conn, machines.KindResult, *result)
		}
		if !r.wait() {
			return false
		}
	}
}

// wait waits for something to tell; false if there is another host, or nobody.
func (r *run) wait() bool {
	select {
	case <-r.came:
		return true
	case <-r.redialed:
		return false
	case <-r.wanted.Done():
		return false
	}
}

// tell tells the host until it has heard. It returns false if there is another host meanwhile, or
// nobody wants to hear it.
func (r *run) tell(conn machines.Conn, kind machines.Kind, what any) bool {
	var pause machines.Pause
	for r.wanted.Err() == nil && conn.Number == r.connection().Number {
		var reply machines.Ack
		err := r.s.link.AskSealed(r.wanted, machines.ToHost(r.run.Root, kind), conn, what, &reply)
		switch {
		case err == nil && reply.Verdict == machines.Granted:
			return true
		case err == nil && reply.Verdict == machines.Over:
			r.over()
			return false
		case err == nil:
			err = machines.ErrNobody // it does not know yet
		}
		if pause.Wait(r.wanted, r.s.link, err, r.redialed) != nil {
			return false
		}
	}
	return false
}
