package dispatch

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"pawl/internal/machines"
)

// attempt is what this host knows of one try at a run.
type attempt struct {
	key     machines.Attempt
	order   Order
	granted chan struct{} // closed when a worker has it
	failed  chan struct{} // closed when it cannot be placed: err
	lost    chan struct{} // closed when its worker is lost
	ended   chan struct{} // closed when the process is gone: exit
	left    chan struct{} // closed when what it left is here: rest

	mu      sync.Mutex
	state   state
	claim   machines.Claim // of the worker that has it or is being asked to resume
	conn    uint64
	grant   json.RawMessage
	asked   *machines.Request // the newest claim that waits for Grant
	resumed bool
	err     error
	exit    machines.Gone
	rest    machines.Result
	up      *machines.Receiver // while Pipe runs
	deaf    bool               // Pipe has returned, and what the process still says is thrown away
	seen    time.Time          // when the worker was last heard of, or the connection was there again
	epoch   uint64             // of the connection at that time
}

type state int

const (
	waiting  state = iota // in its queue
	granting              // a worker has asked, and Grant is running
	resuming              // an earlier Dispatcher granted it
	working               // granted
	closed                // failed, lost or ended by the host
)

func newAttempt(order Order, worker string, epoch uint64) *attempt {
	a := &attempt{
		key: machines.Attempt{Run: order.Run, Number: order.Attempt}, order: order, conn: newConn(),
		granted: make(chan struct{}), failed: make(chan struct{}), lost: make(chan struct{}), ended: make(chan struct{}), left: make(chan struct{}),
		seen: time.Now(), epoch: epoch,
	}
	if worker != "" {
		a.state = resuming
		a.claim = machines.Claim{Attempt: a.key, Worker: worker}
	}
	return a
}

// newConn is the number of a connection. Nobody can guess it.
func newConn() uint64 {
	for {
		if conn := rand.Uint64(); conn != 0 { // ChaCha8, seeded by the system
			return conn
		}
	}
}

// reply is what a worker's claim is answered with: nothing yet while Grant runs. ask says that it
// must be called.
func (a *attempt) reply(r *machines.Request, claim machines.Claim) (reply *machines.ClaimReply, ask bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	mine := a.claim.Worker == claim.Worker
	switch {
	case a.state == waiting:
	case a.state == resuming && mine: // it was granted, but never heard so
	case a.state == working && mine && !a.resumed:
		return &machines.ClaimReply{Verdict: machines.Granted, Conn: a.conn, Grant: a.grant}, false
	case a.state == granting && mine: // the question before this one waits for no answer any more
		a.asked = r
		return nil, false
	default:
		return &machines.ClaimReply{Verdict: machines.Over}, false
	}
	a.state, a.claim, a.asked = granting, claim, r
	return nil, true
}

// begin is the end of Grant: the worker has the attempt, and is told so.
func (a *attempt) begin(grant json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	reply := machines.ClaimReply{Verdict: machines.Over} // if it was ended in the meantime
	if a.state == granting {
		a.state, a.grant, a.seen = working, grant, time.Now()
		close(a.granted)
		reply = machines.ClaimReply{Verdict: machines.Granted, Conn: a.conn, Grant: grant}
	}
	a.asked.ReplyJSON(reply)
	a.asked = nil
}

// resume is the answer of a worker that it has the attempt from before.
func (a *attempt) resume() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state == resuming {
		a.state, a.resumed, a.seen = working, true, time.Now()
		close(a.granted)
	}
}

// heard notes a beat. It reports whether the attempt is that worker's.
func (a *attempt) heard(worker string, epoch uint64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.claim.Worker != worker || a.state == closed {
		return false
	}
	a.seen, a.epoch = time.Now(), epoch
	return true
}

// silent reports whether its worker should have been heard of. A connection that was lost since it
// was begins a new lease.
func (a *attempt) silent(lease time.Duration, epoch uint64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.epoch != epoch {
		a.seen, a.epoch = time.Now(), epoch
	}
	return (a.state == working || a.state == resuming) && time.Since(a.seen) > lease
}

func (a *attempt) lose() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if (a.state == working || a.state == resuming) && isOpen(a.lost) {
		a.state = closed
		close(a.lost)
	}
}

// fail ends an attempt that no worker has.
func (a *attempt) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state == waiting || a.state == granting || a.state == resuming {
		a.state, a.err = closed, err
		close(a.failed)
	}
}

// setGone notes how the process ended.
func (a *attempt) setGone(gone machines.Gone) machines.Verdict {
	a.mu.Lock()
	defer a.mu.Unlock()
	verdict := a.from(gone.Worker)
	if verdict == machines.Granted && gone.Conn != a.conn { // what it wrote may have gone to an earlier host
		return machines.Later
	}
	if verdict == machines.Granted && isOpen(a.ended) {
		a.exit = gone
		close(a.ended)
	}
	return verdict
}

// setResult notes what the run left.
func (a *attempt) setResult(result machines.Result) machines.Verdict {
	a.mu.Lock()
	defer a.mu.Unlock()
	verdict := a.from(result.Worker)
	if verdict == machines.Granted && isOpen(a.left) {
		a.rest = result
		close(a.left)
	}
	return verdict
}

// from is what to say to a worker that tells something about the attempt. The lock is held.
func (a *attempt) from(worker string) machines.Verdict {
	switch {
	case a.state == closed || a.claim.Worker != worker:
		return machines.Over
	case a.state == working:
		a.seen = time.Now()
		return machines.Granted
	}
	return machines.Later // it is about to be asked to resume
}

// close makes the attempt one that no worker can claim or tell about any more. It reports which
// worker had it; none if that is lost, or there was none.
func (a *attempt) close() (worker string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state == working {
		worker = a.claim.Worker
	}
	if a.state = closed; isOpen(a.lost) {
		close(a.lost)
	}
	return worker
}

// isGone reports whether the process is known to be gone, or its worker is lost.
func (a *attempt) isGone() bool { return !isOpen(a.ended) || !isOpen(a.lost) }

func isOpen(c chan struct{}) bool {
	select {
	case <-c:
		return false
	default:
		return true
	}
}

// take hands over a frame of the process's output.
func (a *attempt) take(f machines.Frame, r *machines.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.up != nil:
		a.up.Take(f, r)
	case a.deaf:
		r.Discard()
	default:
		r.Answer(machines.Later)
	}
}

// listen lets Pipe have the process's output.
func (a *attempt) listen(out *os.File) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.up = machines.NewReceiver(out)
	a.up.Connect(a.conn)
}

// unlisten is the end of Pipe. A process that is left to another host keeps what it has to say; of
// any other all is taken, even if nobody knows yet that it has ended: it says what it left after that.
func (a *attempt) unlisten(left bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.up, a.deaf = nil, !left
}

// worker is the ID of the worker that has it; empty if none has.
func (a *attempt) worker() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.claim.Worker
}
