package dispatch

import (
	"bytes"
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

	half   machines.Half // this host's, of conn
	number uint64        // of conn

	mu      sync.Mutex
	state   state
	claim   machines.Claim    // of the worker that has it or is being asked to resume
	conn    machines.Conn     // with that worker; none before the other half of it is known
	grant   machines.Signed   // the answer to the claim, once it is working
	asked   *machines.Request // the newest claim that waits for Grant
	checked []byte            // the claim that conn was joined for, as it came
	strange string            // who wanted it and is not accepted, in words
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

func newAttempt(order Order, worker string, epoch uint64) (*attempt, error) {
	half, err := machines.NewHalf()
	if err != nil {
		return nil, err
	}
	a := &attempt{
		key: machines.Attempt{Run: order.Run, Number: order.Attempt}, order: order, half: half, number: newNumber(),
		granted: make(chan struct{}), failed: make(chan struct{}), lost: make(chan struct{}), ended: make(chan struct{}), left: make(chan struct{}),
		seen: time.Now(), epoch: epoch,
	}
	if worker != "" {
		a.state = resuming
		a.claim = machines.Claim{Attempt: a.key, Worker: worker}
	}
	return a, nil
}

// newNumber is one that no other connection has.
func newNumber() uint64 {
	for {
		if number := rand.Uint64(); number != 0 { // ChaCha8, seeded by the system
			return number
		}
	}
}

// check says why a claim must not be heard. One that was checked is asked again until it is answered,
// by many workers at once where all have lost the server, and is not checked again.
func (a *attempt) check(r *machines.Request) error {
	a.mu.Lock()
	same := bytes.Equal(a.checked, r.Data)
	a.mu.Unlock()
	if same {
		return nil
	}
	return r.Checked()
}

// answer answers a worker's claim that was checked, but not while Grant runs. ask says that it must be
// called.
func (a *attempt) answer(r *machines.Request, claim machines.Claim) (ask bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	same, mine := bytes.Equal(a.checked, r.Data), a.claim.Worker == claim.Worker
	switch {
	case a.state == waiting:
	case a.state == resuming && mine: // it was granted, but never heard so
	case a.state == working && same && !a.resumed:
		a.seen = time.Now() // the worker's own span begins with this question
		r.Send(a.grant)
		return false
	case a.state == granting && same: // the question before this one waits for no answer any more
		a.asked = r
		return false
	case a.state == granting && mine: // it had given the job back
	default:
		r.ReplySigned(machines.ClaimReply{Verdict: machines.Over})
		return false
	}
	conn, err := a.half.Join(claim.Key, a.key, a.number)
	if err != nil {
		r.ReplySigned(machines.ClaimReply{Verdict: machines.Refused, Reason: err.Error()})
		return false
	}
	ask = a.state != granting
	a.state, a.claim, a.conn, a.asked, a.checked = granting, claim, conn, r, r.Data
	return ask
}

// begin is the end of Grant: the worker has the attempt, and is told so.
func (a *attempt) begin(grant json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	reply := machines.ClaimReply{Verdict: machines.Over} // if it was ended in the meantime
	if a.state == granting {
		a.state, a.seen = working, time.Now()
		close(a.granted)
		reply = machines.ClaimReply{Verdict: machines.Granted, Conn: a.number, Key: a.half.Public(), Grant: grant}
	}
	a.grant = a.asked.Sign(reply)
	a.asked.Send(a.grant)
	a.asked = nil
}

// resume is the answer of a worker that it has the attempt from before, with the key of its half of a
// new connection.
func (a *attempt) resume(key []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state != resuming {
		return nil
	}
	conn, err := a.half.Join(key, a.key, a.number)
	if err != nil {
		return err
	}
	a.state, a.conn, a.resumed, a.seen = working, conn, true, time.Now()
	close(a.granted)
	return nil
}

// refuse notes who wanted the attempt and is not accepted.
func (a *attempt) refuse(who string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.strange = who
}

// refused is who wanted it last and is not accepted; empty: nobody.
func (a *attempt) refused() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.strange
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

// told takes what its worker says of its end, in a frame, and is what to answer.
func (a *attempt) told(kind machines.Kind, f machines.Frame) machines.Verdict {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state == closed {
		return machines.Over
	}
	if a.state != working || f.Conn != a.conn.Number { // what it wrote may have gone to an earlier host
		return machines.Later
	}
	text, err := a.conn.Open(kind, f)
	if err != nil { // somebody else's
		return machines.Later
	}
	a.seen = time.Now()
	if kind == machines.KindGone {
		hear(text, &a.exit, a.ended)
	} else {
		hear(text, &a.rest, a.left)
	}
	return machines.Granted
}

// hear reads what is said once, and again where the answer was lost.
func hear[T any](text []byte, into *T, heard chan struct{}) {
	if isOpen(heard) && json.Unmarshal(text, into) == nil { // no Pawl of this version sends another
		close(heard)
	}
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

// isLost reports whether its worker is lost, or has said that it gave it up.
func (a *attempt) isLost() bool { return !isOpen(a.lost) || !isOpen(a.ended) && a.exit.Lost }

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
	a.up = machines.NewReceiver(out, machines.KindUp)
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
