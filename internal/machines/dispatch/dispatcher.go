package dispatch

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"pawl/internal/machines"
	"pawl/lifecycle"
)

// Options of a Dispatcher.
type Options struct {
	// Protocol is remote.Protocol: jobs go to workers that speak it.
	Protocol int
	// Over reports whether an attempt that this Dispatcher was not asked to place or resume has
	// ended for good: its run has, or a later attempt has begun. A worker that has one is told to
	// kill it. It must say no for runs that are about to be placed or resumed. It is called from
	// any goroutine, often, and returns at once. Nil: no.
	Over func(run lifecycle.RunID, attempt int) bool
}

// Dispatcher is a host's side of all remote runs of one root session. All methods may be called
// from any goroutine.
type Dispatcher struct {
	link  *machines.Link
	root  lifecycle.SessionID
	o     Options
	times machines.Times

	ctx       context.Context // until Close
	left      context.CancelCauseFunc
	unlisten  func()
	work      sync.WaitGroup // goroutines that end with ctx
	goodbyes  sync.WaitGroup // workers being told that an attempt is over
	someWaits chan struct{}  // holds a value when an order begins to wait

	mu       sync.Mutex
	closing  bool // no more work and goodbyes begin
	attempts map[machines.Attempt]*attempt
	over     map[machines.Attempt]struct{} // ended in this process
	probe    int64                         // the number of the last probe
	workers  []machines.WorkerInfo         // as of the last look, while something waits
	looked   chan struct{}                 // closed at the next look
}

// New makes the Dispatcher of a root session; there must be one at a time. Close it before the link.
func New(link *machines.Link, root lifecycle.SessionID, o Options) (*Dispatcher, error) {
	d := &Dispatcher{
		link: link, root: root, o: o, times: link.Times(), attempts: map[machines.Attempt]*attempt{},
		over: map[machines.Attempt]struct{}{}, someWaits: make(chan struct{}, 1), looked: make(chan struct{}),
	}
	if o.Over == nil {
		d.o.Over = func(lifecycle.RunID, int) bool { return false }
	}
	d.ctx, d.left = context.WithCancelCause(context.Background())
	var err error
	if d.unlisten, err = link.Serve(machines.ToHost(root, "*"), d.handle); err != nil {
		return nil, err
	}
	d.work.Go(d.watchLeases)
	d.work.Go(d.watchWorkers)
	return d, nil
}

// Close stops answering; what waits returns lifecycle.ErrLeft. Attempts that have not ended are
// left as they are, for a later Dispatcher to resume. Workers of those that have are told first,
// which takes Times.Kill at most.
func (d *Dispatcher) Close() {
	d.mu.Lock()
	d.closing = true
	d.mu.Unlock()
	told := make(chan struct{})
	go func() { d.goodbyes.Wait(); close(told) }()
	select {
	case <-told:
	case <-time.After(d.times.Kill):
	}
	d.left(lifecycle.ErrLeft)
	d.unlisten()
	d.work.Wait()
}

// begin does something in the background that one of the groups waits for, unless Close was called.
func (d *Dispatcher) begin(group *sync.WaitGroup, do func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closing {
		group.Go(do)
	}
}

// handle answers a request. Requests come one by one, and none of them waits here.
func (d *Dispatcher) handle(r *machines.Request) {
	switch r.Kind {
	case machines.KindUp:
		d.frame(r)
	case machines.KindBeat:
		with(r, d.beat)
	case machines.KindClaim:
		with(r, d.claim)
	case machines.KindGone, machines.KindResult:
		d.told(r)
	case machines.KindRefuse:
		with(r, d.refuse)
	case machines.KindProbe:
		d.probed(string(r.Data))
	default: // of a later version
	}
}

// with decodes a request. What cannot be decoded gets no answer: no Pawl of this version sent it.
func with[T any](r *machines.Request, handle func(*machines.Request, T)) {
	var asked T
	if json.Unmarshal(r.Data, &asked) == nil {
		handle(r, asked)
	}
}

// find returns an attempt that this Dispatcher has, or what to say of it.
func (d *Dispatcher) find(key machines.Attempt) (*attempt, machines.Verdict) {
	d.mu.Lock()
	a := d.attempts[key]
	_, over := d.over[key]
	d.mu.Unlock()
	switch {
	case a != nil:
		return a, machines.Granted
	case over || d.o.Over(key.Run, key.Number):
		return nil, machines.Over
	}
	return nil, machines.Later
}

// add makes an attempt known.
func (d *Dispatcher) add(order Order, worker string) (*attempt, error) {
	a, err := newAttempt(order, worker, d.link.Epoch())
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, twice := d.attempts[a.key]; twice {
		return nil, fmt.Errorf("attempt %d of run %s is placed already", order.Attempt, order.Run)
	}
	delete(d.over, a.key)
	d.attempts[a.key] = a
	return a, nil
}

// remove makes an attempt one that is over.
func (d *Dispatcher) remove(a *attempt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.attempts, a.key)
	d.over[a.key] = struct{}{}
}

// leave forgets an attempt without ending it.
func (d *Dispatcher) leave(a *attempt) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.attempts, a.key)
}

// frame hands a frame of a process's output to its run.
func (d *Dispatcher) frame(r *machines.Request) {
	f, err := machines.ParseFrame(r.Data)
	if err != nil {
		return
	}
	a, verdict := d.find(f.Attempt)
	if a == nil {
		r.Answer(verdict)
		return
	}
	a.take(f, r)
}

// beat notes which attempts their workers have, and says which are over.
func (d *Dispatcher) beat(r *machines.Request, beat machines.Beat) {
	var reply machines.BeatReply
	for _, key := range beat.Attempts {
		a, verdict := d.find(key)
		if verdict == machines.Over || a != nil && !a.heard(beat.Worker, d.link.Epoch()) {
			reply.Over = append(reply.Over, key)
		}
	}
	r.ReplyJSON(reply)
}

// told hands what a worker says of the end of a process to its run.
func (d *Dispatcher) told(r *machines.Request) {
	f, err := machines.ParseFrame(r.Data)
	if err != nil {
		return
	}
	a, verdict := d.find(f.Attempt)
	if a != nil {
		verdict = a.told(r.Kind, f)
	}
	r.ReplyJSON(machines.Ack{Verdict: verdict})
}

// refuse ends an attempt that a worker does not take. What a worker says that is not accepted here is
// not passed on.
func (d *Dispatcher) refuse(r *machines.Request, refusal machines.Refusal) {
	a, verdict := d.find(refusal.Attempt)
	if a != nil {
		var why error = &machines.RefusedError{Worker: refusal.Worker, Reason: refusal.Reason}
		if strange := r.Checked(); strange != nil {
			why = fmt.Errorf("refused by %s; and where it has a file of --accept, the key of this session, %s, belongs there", stranger(strange), d.link.User())
		}
		a.fail(why)
	}
	r.ReplySigned(machines.Ack{Verdict: verdict})
}
