package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"pawl/lifecycle"
)

// ErrGone is the cause with which a worker's context ends when Pawl itself has.
var ErrGone = errors.New("the Pawl that started this process is gone")

// reportEvery is how often progress goes over the pipe: as often as a screen can
// use it, and not once a token.
const reportEvery = 50 * time.Millisecond

// Port is the worker's end of the pipe: an agent.Port whose calls are answered by
// the process that started this one.
type Port struct {
	ctx     context.Context
	entries []lifecycle.Entry
	out     sender
	wake    chan struct{}

	mu       sync.Mutex
	run      lifecycle.Run
	spent    lifecycle.Usage
	progress *lifecycle.Progress // the newest that has not been sent
	waiting  map[int64]chan reply
	asked    int64 // requests so far
	gone     bool
}

// Attach reads what this process is for from the beginning of the pipe, charge
// included. The Port's context ends with the run's.
func Attach(in io.Reader, out io.Writer, charge any) (*Port, error) {
	from := newReceiver(in, 0)
	var first toWorker
	if err := from.next(&first); err != nil {
		return nil, err
	}
	if first.Hello == nil {
		return nil, errors.New("the first message is no hello")
	}
	to := sender{to: out}
	if err := to.send(fromWorker{Act: actHello, Protocol: protocol}); err != nil {
		return nil, err
	}
	if first.Hello.Protocol != protocol {
		return nil, &versionError{first.Hello.Protocol}
	}
	if err := json.Unmarshal(first.Hello.Config, charge); err != nil {
		return nil, fmt.Errorf("read the charge: %w", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	p := &Port{
		ctx: ctx, entries: first.Hello.Entries, out: sender{to: out}, wake: make(chan struct{}, 1),
		run: first.Hello.Run, spent: first.Hello.Spent, waiting: map[int64]chan reply{},
	}
	go p.listen(from, cancel)
	go p.sendProgress()
	return p, nil
}

// Context ends when the run is to be stopped, or with ErrGone.
func (p *Port) Context() context.Context { return p.ctx }

// Entries gives the transcript of the run's session as it was at the start.
func (p *Port) Entries(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) {
	return p.entries, nil
}

// listen takes in what comes until nothing can any more.
func (p *Port) listen(from *receiver, cancel context.CancelCauseFunc) {
	for {
		var m toWorker
		if from.next(&m) != nil {
			break
		}
		if m.Stop != "" {
			cancel(errors.New(m.Stop))
		}
		if m.Reply != nil {
			p.deliver(*m.Reply)
		}
	}
	cancel(ErrGone)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
	for _, bell := range p.waiting {
		close(bell)
	}
	clear(p.waiting)
}

// deliver gives a reply to whoever waits for it. Replies may overtake each other:
// the newest run counts.
func (p *Port) deliver(r reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Run.Seq > p.run.Seq {
		p.run, p.spent = r.Run, r.Spent
	}
	if bell, ok := p.waiting[r.ID]; ok {
		delete(p.waiting, r.ID)
		bell <- r
	}
}

// request asks for something and waits for the reply, or for ctx.
func (p *Port) request(ctx context.Context, m fromWorker) (reply, error) {
	bell := make(chan reply, 1)
	p.mu.Lock()
	if p.gone {
		p.mu.Unlock()
		return reply{}, ErrGone
	}
	p.asked++
	m.ID = p.asked
	p.waiting[m.ID] = bell
	p.mu.Unlock()
	if err := p.send(m); err != nil {
		return reply{}, fmt.Errorf("%w: %w", ErrGone, err)
	}
	select {
	case r, ok := <-bell:
		if !ok {
			return reply{}, ErrGone
		}
		return r, r.Error.err()
	case <-ctx.Done():
		return reply{}, context.Cause(ctx)
	}
}

// send writes a message behind the newest progress, so that both arrive in the
// order in which they were made.
func (p *Port) send(m fromWorker) error {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	if err := p.flush(); err != nil {
		return err
	}
	line, err := encode(m)
	if err == nil {
		_, err = p.out.to.Write(line)
	}
	return err
}

// flush writes the progress that waits. The writer's lock is held.
func (p *Port) flush() error {
	p.mu.Lock()
	progress := p.progress
	p.progress = nil
	p.mu.Unlock()
	if progress == nil {
		return nil
	}
	line, err := encode(fromWorker{Act: actReport, Progress: progress})
	if err == nil {
		_, err = p.out.to.Write(line)
	}
	return err
}
