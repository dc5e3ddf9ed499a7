package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"pawl/internal/machines"
	"pawl/lifecycle"
)

// Order is an attempt that is to be worked at.
type Order struct {
	Run        lifecycle.RunID
	Attempt    int // 1 for the first; a number is never used twice
	Labels     []string
	Idempotent bool // the worker kills it as soon as another could be at it
	// Waiting is told, in one line without a full stop, why no worker has taken it yet, when that
	// is so for a second and when it changes. Nil: nobody is told.
	Waiting func(string)
	// Grant is called once, when a worker asks for the attempt: what it returns is worker.Run.Grant
	// there. Until it returns nothing is granted; it records what must be known before the worker
	// begins. An error ends the attempt, and Place returns it. Its context ends with the
	// Dispatcher.
	Grant func(context.Context, machines.Claim) (json.RawMessage, error)
}

// waitingAfter is how long an attempt may wait before it is said why it does.
const waitingAfter = time.Second

// Place puts an attempt into its queue and returns when a worker has it. When ctx ends first the
// attempt is over, except with cause lifecycle.ErrLeft, which leaves it in the queue. Errors:
// *machines.RefusedError, that of Grant, ctx's cause, or why it cannot be queued, in one line.
func (d *Dispatcher) Place(ctx context.Context, order Order) (*Placement, error) {
	if err := machines.CheckLabels(order.Labels); err != nil {
		return nil, err
	}
	a, err := d.add(order, "")
	if err != nil {
		return nil, err
	}
	p := &Placement{d: d, a: a}
	if err := d.wait(ctx, a, true); err != nil {
		if errors.Is(err, lifecycle.ErrLeft) {
			d.leave(a)
		} else {
			p.End()
		}
		return nil, err
	}
	return p, nil
}

// Resume goes on with an attempt that a worker got from an earlier Dispatcher. It returns
// machines.ErrLost if that worker has it no more or is out of reach for a lease. If the worker had
// asked but never been answered, Grant is called again and the Placement is not Resumed.
func (d *Dispatcher) Resume(ctx context.Context, order Order, worker string) (*Placement, error) {
	a, err := d.add(order, worker)
	if err != nil {
		return nil, err
	}
	p := &Placement{d: d, a: a}
	d.begin(&d.work, func() { d.askToResume(a, worker) })
	err = d.wait(ctx, a, false)
	switch {
	case errors.Is(err, lifecycle.ErrLeft):
		d.leave(a)
		return nil, err
	case err != nil:
		p.End()
		return nil, err
	}
	return p, nil
}

// wait waits until a worker has the attempt, and keeps it in its queue meanwhile if it is to be there.
func (d *Dispatcher) wait(ctx context.Context, a *attempt, queued bool) error {
	var said string
	began, stored := time.Now(), time.Time{}
	tick := time.NewTimer(0)
	defer tick.Stop()
	for {
		looked, changed := d.nextLook(), d.link.Changed()
		select {
		case <-a.granted:
			return nil
		case <-a.failed:
			return a.err
		case <-a.lost:
			return machines.ErrLost
		case <-ctx.Done():
			return d.stopWaiting(a, context.Cause(ctx))
		case <-d.ctx.Done():
			return d.stopWaiting(a, lifecycle.ErrLeft)
		case <-tick.C:
		case <-looked:
		case <-changed:
			stored = time.Time{} // the server may have come back without it
		}
		if queued && d.link.Connected() && time.Since(stored) >= d.times.Publish {
			err := d.enqueue(ctx, a, stored.IsZero())
			switch {
			case err == nil:
				stored = time.Now()
			case !machines.Passing(err) && ctx.Err() == nil:
				a.fail(err)
				continue
			}
		}
		if waited := time.Since(began); waited >= waitingAfter && a.order.Waiting != nil {
			if why := d.why(a); why != said {
				said = why
				a.order.Waiting(why)
			}
		}
		tick.Reset(waitingAfter)
		signal(d.someWaits)
	}
}

// enqueue puts an attempt into its queue. One that an earlier process of this host left there, or
// this one before it was cut off, may have been given back for a while by workers who heard nothing:
// with fresh it is put there anew.
func (d *Dispatcher) enqueue(ctx context.Context, a *attempt, fresh bool) error {
	already, err := d.link.Enqueue(ctx, d.job(a))
	if err != nil || !already || !fresh {
		return err
	}
	if err := d.link.Withdraw(ctx, d.job(a)); err != nil {
		return err
	}
	_, err = d.link.Enqueue(ctx, d.job(a))
	return err
}

// stopWaiting is the end of waiting by the host. A worker that got the attempt in the meantime
// keeps it only if it is left.
func (d *Dispatcher) stopWaiting(a *attempt, cause error) error {
	if !errors.Is(cause, lifecycle.ErrLeft) {
		a.fail(cause)
	}
	return cause
}

func (d *Dispatcher) job(a *attempt) machines.Job {
	return machines.Job{Attempt: a.key, Root: d.root, Protocol: d.o.Protocol, Labels: a.order.Labels, Idempotent: a.order.Idempotent}
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// claim answers a worker that asks whether it may work at an attempt.
func (d *Dispatcher) claim(r *machines.Request, claim machines.Claim) {
	a, verdict := d.find(claim.Attempt)
	if a == nil {
		r.ReplySigned(machines.ClaimReply{Verdict: verdict})
		return
	}
	if err := a.check(r); err != nil {
		a.refuse(stranger(err))
		r.ReplySigned(machines.ClaimReply{Verdict: machines.Refused, Reason: "its session does not accept " + stranger(err)})
		return
	}
	if !a.answer(r, claim) {
		return
	}
	d.begin(&d.work, func() {
		grant, err := a.order.Grant(d.ctx, claim)
		if err != nil {
			a.fail(err)
		}
		a.begin(grant)
	})
}

// askToResume asks a worker whether it still has an attempt, until it answers or is lost.
func (d *Dispatcher) askToResume(a *attempt, worker string) {
	order, err := d.link.Sign(machines.ToWorker(worker, machines.KindResume), machines.Order{Attempt: a.key, Conn: a.number, Key: a.half.Public()})
	if err != nil {
		a.fail(err)
		return
	}
	var pause machines.Pause
	for {
		var reply machines.OrderReply
		err := order.Ask(d.ctx, &reply)
		var strange *machines.TrustError
		switch {
		case errors.As(err, &strange):
			a.refuse(stranger(strange))
		case err != nil: // asked again
		case reply.Error != "":
			a.fail(fmt.Errorf("the worker does not obey: %s", reply.Error))
		case reply.Known:
			if err := a.resume(reply.Key); err != nil {
				a.fail(err)
			}
		case !reply.Later:
			a.lose()
		}
		select {
		case <-a.granted:
			return
		case <-a.failed:
			return
		case <-a.lost:
			return
		default:
		}
		if err == nil { // it is to be asked again
			err = machines.ErrNobody
		}
		if pause.Wait(d.ctx, d.link, err, nil) != nil {
			return
		}
	}
}
