package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"pawl/agent/remote"
	"pawl/internal/machines"
	"pawl/lifecycle"
)

// Placement is an attempt that a worker has. Call Pipe and then Result, each once, and End when
// the attempt is over, whatever they returned, unless that is lifecycle.ErrLeft.
type Placement struct {
	d *Dispatcher
	a *attempt
}

// Claim is what the worker said of itself; after Resume, only its ID and the attempt.
func (p *Placement) Claim() machines.Claim {
	p.a.mu.Lock()
	defer p.a.mu.Unlock()
	return p.a.claim
}

// Resumed reports whether the process may have been told its run already: see remote.Host.Resume.
func (p *Placement) Resumed() bool {
	p.a.mu.Lock()
	defer p.a.mu.Unlock()
	return p.a.resumed
}

// Pipe connects the worker's process with these ends of pipes, as its standard input and output,
// and returns when it is gone and all it wrote is in out. When ctx ends it is killed, which takes
// Times.Kill at most; with cause lifecycle.ErrLeft it is left as it is, and Pipe returns that at
// once. The exit is Lost if the worker is. An error means that the process did not start, or that
// nobody knows whether it has ended: its worker is told to kill it as soon as it is in reach.
func (p *Placement) Pipe(ctx context.Context, in, out *os.File) (exit remote.Exit, err error) {
	p.a.listen(out)
	defer func() { p.a.unlisten(errors.Is(err, lifecycle.ErrLeft)) }()
	down := p.d.link.NewSender(machines.ToWorker(p.a.worker(), machines.KindDown))
	down.Connect(p.a.conn)
	sending, stop := context.WithCancel(ctx)
	defer stop()
	read := make(chan struct{})
	go func() { defer close(read); _ = down.Read(in) }() // a line too long for a frame is not sent by Pawl
	go func() { _ = down.Send(sending) }()               // ends with the process
	defer func() {
		down.Abandon()
		_ = in.SetReadDeadline(time.Now())
		_ = out.SetWriteDeadline(time.Now())
		<-read
	}()
	return p.exit(ctx)
}

func (p *Placement) exit(ctx context.Context) (remote.Exit, error) {
	select {
	case <-p.a.ended:
		return p.gone()
	case <-p.a.lost:
		return remote.Exit{Code: -1, Lost: true}, nil
	case <-p.d.ctx.Done():
		return remote.Exit{Code: -1}, lifecycle.ErrLeft
	case <-ctx.Done():
	}
	if errors.Is(context.Cause(ctx), lifecycle.ErrLeft) {
		return remote.Exit{Code: -1}, lifecycle.ErrLeft
	}
	return p.kill()
}

// kill kills the process. A worker that is out of reach is told when it no longer is, unless the
// attempt is over by then.
func (p *Placement) kill() (remote.Exit, error) {
	ctx, cancel := context.WithTimeout(p.d.ctx, p.d.times.Kill)
	defer cancel()
	p.d.begin(&p.d.work, func() { p.d.tell(p.d.ctx, p.a, machines.KindKill) })
	select {
	case <-p.a.ended:
		return p.gone()
	case <-p.a.lost:
		return remote.Exit{Code: -1, Lost: true}, nil
	case <-ctx.Done():
		return remote.Exit{Code: -1}, fmt.Errorf("the worker %s did not confirm within %s that the process was killed: it will be as soon as the worker can be reached", p.name(), p.d.times.Kill)
	}
}

func (p *Placement) name() string {
	claim := p.Claim()
	if claim.Name != "" {
		return claim.Name
	}
	return claim.Worker
}

func (p *Placement) gone() (remote.Exit, error) {
	gone := p.a.exit
	exit := remote.Exit{Code: gone.Code, Said: gone.Said, Lost: gone.Lost}
	if gone.Error != "" {
		return exit, errors.New(gone.Error)
	}
	return exit, nil
}

// Result waits for what the run left: worker.Workplace.Finish's. It returns machines.ErrLost if
// the worker is lost first, or has given the run up.
func (p *Placement) Result(ctx context.Context) (json.RawMessage, error) {
	select {
	case <-p.a.left:
	default:
		select {
		case <-p.a.left:
		case <-p.a.lost:
			return nil, machines.ErrLost
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-p.d.ctx.Done():
			return nil, lifecycle.ErrLeft
		}
	}
	if p.a.rest.Error == "" {
		return p.a.rest.Data, nil
	}
	if p.a.isLost() { // then there is nothing of it to send
		return nil, machines.ErrLost
	}
	return nil, errors.New(p.a.rest.Error)
}

// End ends the attempt: whatever of it a worker still has is killed and removed, and its job is
// deleted. It returns at once.
func (p *Placement) End() {
	worker := p.a.close()
	p.d.remove(p.a)
	p.d.begin(&p.d.goodbyes, func() {
		ctx, cancel := context.WithTimeout(p.d.ctx, p.d.times.Kill)
		defer cancel()
		if worker == "" {
			_ = p.d.link.Withdraw(ctx, p.d.job(p.a)) // a worker that gets it is told that it is over
			return
		}
		p.d.tell(ctx, p.a, machines.KindEnd)
	})
}

// tell gives an order to the attempt's worker, until that has heard it or the process to be killed
// is known to be gone. If the end is not heard, the worker's next beat is answered with it.
func (d *Dispatcher) tell(ctx context.Context, a *attempt, kind machines.Kind) {
	order, err := d.link.Sign(machines.ToWorker(a.worker(), kind), machines.Order{Attempt: a.key})
	if err != nil { // no order is one that cannot be encoded
		return
	}
	var pause machines.Pause
	for {
		var heard machines.OrderReply
		err := order.Ask(ctx, &heard)
		if err == nil || kind == machines.KindKill && a.isGone() || pause.Wait(ctx, d.link, err, nil) != nil {
			return
		}
	}
}
