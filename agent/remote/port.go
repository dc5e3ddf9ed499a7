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

// ErrGone is the cause of a worker's context when Pawl's process is gone.
var ErrGone = errors.New("the Pawl that started this process is gone")

// reportEvery is the interval at which progress is sent: as often as a screen can use, not
// for every token.
const reportEvery = 50 * time.Millisecond

// Port is the worker's end of the pipe: an agent.Port whose calls are answered by the
// process that started this one.
type Port struct {
	ctx     context.Context
	entries []lifecycle.Entry
	out     sender
	wake    chan struct{}

	mu       sync.Mutex
	run      lifecycle.Run
	spent    lifecycle.Usage
	progress *lifecycle.Progress // the newest, not sent yet
	waiting  map[int64]chan reply
	asked    int64 // the id of the last request
	gone     bool
}

// Attach reads the first message, and decodes Host.Config into config. The Port's context
// ends with the run's.
func Attach(in io.Reader, out io.Writer, config any) (*Port, error) {
	from := newReceiver(in, 0)
	var first toWorker
	if err := from.next(&first); err != nil {
		return nil, err
	}
	if first.Hello == nil {
		return nil, errors.New("the first message is not a hello")
	}
	to := sender{to: out}
	if err := to.send(fromWorker{Act: actHello, Protocol: protocol}); err != nil {
		return nil, err
	}
	if first.Hello.Protocol != protocol {
		return nil, &versionError{first.Hello.Protocol}
	}
	if err := json.Unmarshal(first.Hello.Config, config); err != nil {
		return nil, fmt.Errorf("decode the worker's configuration: %w", err)
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

// Context ends when the run is to stop, or with ErrGone.
func (p *Port) Context() context.Context { return p.ctx }

// Entries returns the transcript of the run's session as it was at the start.
func (p *Port) Entries(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) {
	return p.entries, nil
}

// listen reads messages until the pipe ends.
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
	for _, replied := range p.waiting {
		close(replied)
	}
	clear(p.waiting)
}

// deliver passes a reply to the request that waits for it. Replies may arrive out of
// order; the newest run counts.
func (p *Port) deliver(r reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Run.Seq > p.run.Seq {
		p.run, p.spent = r.Run, r.Spent
	}
	if replied, ok := p.waiting[r.ID]; ok {
		delete(p.waiting, r.ID)
		replied <- r
	}
}

// request sends a request and waits for its reply, or for ctx.
func (p *Port) request(ctx context.Context, m fromWorker) (reply, error) {
	replied := make(chan reply, 1)
	p.mu.Lock()
	if p.gone {
		p.mu.Unlock()
		return reply{}, ErrGone
	}
	p.asked++
	m.ID = p.asked
	p.waiting[m.ID] = replied
	p.mu.Unlock()
	if err := p.send(m); err != nil {
		return reply{}, fmt.Errorf("%w: %w", ErrGone, err)
	}
	select {
	case r, ok := <-replied:
		if !ok {
			return reply{}, ErrGone
		}
		return r, r.Error.err()
	case <-ctx.Done():
		return reply{}, context.Cause(ctx)
	}
}

// send writes a message after any pending progress, so that both arrive in order.
func (p *Port) send(m fromWorker) error {
	p.out.mu.Lock()
	defer p.out.mu.Unlock()
	if err := p.flush(); err != nil {
		return err
	}
	return p.out.write(m)
}

// flush writes pending progress. The caller holds the writer's lock.
func (p *Port) flush() error {
	p.mu.Lock()
	progress := p.progress
	p.progress = nil
	p.mu.Unlock()
	if progress == nil {
		return nil
	}
	return p.out.write(fromWorker{Act: actReport, Progress: progress})
}
