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
// process that started this one, or by another that goes on in its place.
type Port struct {
	ctx     context.Context
	entries []lifecycle.Entry
	out     sender
	wake    chan struct{}
	over    chan struct{} // closed when the pipe has ended
	shells  shells

	mu       sync.Mutex
	run      lifecycle.Run
	spent    lifecycle.Usage
	folder   string              // where the run works on this machine; empty: in its folder
	progress *lifecycle.Progress // the newest, not sent yet
	newest   *lifecycle.Progress // the newest, sent or not
	waiting  map[int64]*asked
	last     int64 // the id of the newest request
	have     int   // entries of the transcript that are known here
	ended    *fromWorker
	endFile  string // gets the outcome too; empty: none does
	gone     bool
}

// asked is a request that waits for its reply.
type asked struct {
	message  fromWorker
	replied  chan reply
	activity func(text string) // nil: nobody is told
}

// Attach reads the first message, and decodes Host.Config into config. The Port's context
// ends with the run's.
func Attach(in io.Reader, out io.Writer, config any) (*Port, error) {
	from := newReceiver(in, 0)
	p := &Port{
		out: sender{to: out}, wake: make(chan struct{}, 1), over: make(chan struct{}), waiting: map[int64]*asked{},
	}
	first, err := p.firstMessage(from)
	if err != nil {
		return nil, err
	}
	if err := p.out.send(ownHello()); err != nil {
		return nil, err
	}
	if first.Hello.Protocol != Protocol {
		return nil, &versionError{first.Hello.Protocol}
	}
	if err := json.Unmarshal(first.Hello.Config, config); err != nil {
		return nil, fmt.Errorf("decode the worker's configuration: %w", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	p.ctx, p.entries, p.have = ctx, first.Hello.Entries, len(first.Hello.Entries)
	p.run, p.spent = first.Hello.Run, first.Hello.Spent
	go p.listen(from, cancel)
	go p.sendProgress()
	return p, nil
}

// firstMessage reads the hello of a host. One that goes on before there was any is told so.
func (p *Port) firstMessage(from *receiver) (toWorker, error) {
	for {
		m, err := from.fromHost()
		switch {
		case err != nil:
			return m, err
		case m.Hello != nil:
			return m, nil
		case !m.Resume:
			return m, errors.New("the first message is not a hello")
		}
		if err := p.out.send(fromWorker{Act: actHello, Protocol: Protocol, New: true}); err != nil {
			return m, err
		}
	}
}

// ownHello is the first message of this process to a host.
func ownHello() fromWorker { return fromWorker{Act: actHello, Protocol: Protocol} }

// Context ends when the run is to stop, or with ErrGone.
func (p *Port) Context() context.Context { return p.ctx }

// Entries returns the transcript of the run's session as it was at the start.
func (p *Port) Entries(context.Context, lifecycle.SessionID) ([]lifecycle.Entry, error) {
	return p.entries, nil
}

// listen reads messages until the pipe ends.
func (p *Port) listen(from *receiver, cancel context.CancelCauseFunc) {
	for {
		m, err := from.fromHost()
		if err != nil || m.Resume && p.resume() != nil {
			break
		}
		if m.Stop != "" {
			cancel(errors.New(m.Stop))
		}
		if m.Reply != nil {
			p.deliver(*m.Reply)
		}
		if m.Activity != nil {
			p.doing(*m.Activity)
		}
		if m.Command != nil {
			p.begin(*m.Command)
		}
		if m.EndShell != "" {
			p.shells.end(m.EndShell, errStopped)
		}
	}
	cancel(ErrGone)
	close(p.over)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
	for _, one := range p.waiting {
		close(one.replied)
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
	one, ok := p.waiting[r.ID]
	if !ok {
		return
	}
	delete(p.waiting, r.ID)
	if r.Error == nil { // the transcript has them from now on
		p.have += len(one.message.Entries) + len(r.Entries)
	}
	one.replied <- r
}

// doing passes on what a request is doing.
func (p *Port) doing(what activity) {
	p.mu.Lock()
	one := p.waiting[what.ID]
	p.mu.Unlock()
	if one != nil && one.activity != nil {
		one.activity(what.Text)
	}
}
