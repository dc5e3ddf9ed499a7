package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pawl/internal/machines"
)

// pull takes jobs from a queue while a slot is free, until ctx ends.
func (s *server) pull(ctx context.Context, queue *machines.Queue) error {
	for {
		if s.waitFree(ctx) != nil {
			return nil
		}
		d, err := queue.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case !s.take(): // a job of another queue was faster
			d.Return(0)
		default:
			s.work.Go(func() { s.receive(ctx, d) })
		}
	}
}

// receive checks a job and claims it. It has a slot, which it gives to the run, or back.
func (s *server) receive(ctx context.Context, d *machines.Delivery) {
	job, err := d.Job()
	if err != nil {
		s.release()
		s.refuse(ctx, d, job, err)
		return
	}
	if !s.beginClaim(job.Attempt, d) {
		s.release()
		return
	}
	r := s.claim(ctx, d, job)
	s.endClaim(job.Attempt, r)
	if r == nil {
		s.release()
		return
	}
	if ctx.Err() != nil { // the others have been told already
		r.lose(stopped, 2*s.times.Ask)
	}
	s.say(fmt.Sprintf("begins run %s of session %s", job.Run, job.Root))
	r.work()
	s.say(fmt.Sprintf("is done with run %s", job.Run))
}

// beginClaim notes that a job is being claimed, or that a job that this worker has is now known to
// the server by another delivery.
func (s *server) beginClaim(key machines.Attempt, d *machines.Delivery) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[key]; r != nil {
		r.setDelivery(d)
		return false
	}
	_, twice := s.claims[key]
	s.claims[key] = d
	return !twice
}

func (s *server) endClaim(key machines.Attempt, r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.claims[key]
	delete(s.claims, key)
	if r != nil {
		r.delivery = d
		s.runs[key] = r
	}
}

// Jobs whose host is away are given back, for longer each time, and dropped when it does not come
// back: a host that does queues its jobs again.
const (
	returnAfter    = 2 * time.Second
	returnAtMost   = 30 * time.Second
	deliveriesMost = 60
)

// claim asks the host whether this worker may have the job, until it says so. It returns nil if
// not; the job is then acknowledged or given back.
func (s *server) claim(ctx context.Context, d *machines.Delivery, job machines.Job) *run {
	claim, half, err := s.claimOf(job)
	if err != nil {
		return s.unable(d, job, err.Error())
	}
	var pause machines.Pause
	var strange *machines.TrustError
	away := time.Now()
	for {
		asked := elapsed()
		var reply machines.ClaimReply
		err := claim.Ask(context.WithoutCancel(ctx), &reply) // the answer counts
		switch {
		case err == nil && reply.Verdict == machines.Granted:
			conn, err := half.Join(reply.Key, job.Attempt, reply.Conn)
			if err != nil {
				return s.unable(d, job, err.Error())
			}
			return s.newRun(job, reply.Grant, conn, half, asked)
		case err == nil && reply.Verdict == machines.Refused:
			return s.unable(d, job, reply.Reason)
		case err == nil && reply.Verdict == machines.Over:
			d.Ack()
			return nil
		case err == nil:
			err = machines.ErrNobody
			away = time.Now()
		case strange == nil && errors.As(err, &strange): // said once: the session's own answer may come yet
			s.say(fmt.Sprintf("an answer about run %s that is not of session %s is not obeyed", job.Run, job.Root))
			away = time.Now()
		case !errors.Is(err, machines.ErrNobody):
			away = time.Now()
		case time.Since(away) > s.times.Lease: // it may have granted the claim and died: it would have come back by now
			s.giveBack(d)
			return nil
		}
		if pause.Wait(ctx, s.link, err, nil) != nil {
			d.Return(0)
			return nil
		}
	}
}

// claimOf is the claim of a job, with this worker's half of the connection.
func (s *server) claimOf(job machines.Job) (claim machines.Signed, half machines.Half, err error) {
	if half, err = machines.NewHalf(); err != nil {
		return claim, half, err
	}
	claim, err = s.link.Sign(machines.ToHost(job.Root, machines.KindClaim), machines.Claim{
		Attempt: job.Attempt, Worker: s.id, Name: s.o.Name, Machine: s.o.Machine, Version: s.o.Version, Protocol: s.o.Protocol,
		TLS: s.link.TLS(), Key: half.Public(),
	})
	return claim, half, err
}

// unable gives back a job that this worker cannot have.
func (s *server) unable(d *machines.Delivery, job machines.Job, why string) *run {
	s.say(fmt.Sprintf("does not begin run %s of session %s: %s", job.Run, job.Root, why))
	s.giveBack(d)
	return nil
}

func (s *server) giveBack(d *machines.Delivery) {
	if d.Times() > deliveriesMost {
		d.Ack()
		return
	}
	d.Return(min(returnAfter<<min(d.Times(), 8), returnAtMost))
}

// refuse deletes a job that must not be worked at, and tells its host why.
func (s *server) refuse(ctx context.Context, d *machines.Delivery, job machines.Job, why error) {
	s.say(fmt.Sprintf("refused a job of session %s: %s", job.Root, why))
	ctx, cancel := context.WithTimeout(ctx, s.times.Lease)
	defer cancel()
	refusal, err := s.link.Sign(machines.ToHost(job.Root, machines.KindRefuse), machines.Refusal{Attempt: job.Attempt, Worker: s.o.Name, Reason: why.Error()})
	var pause machines.Pause
	for job.Root != "" && err == nil {
		var reply machines.Ack
		err := refusal.Ask(ctx, &reply)
		if err == nil && reply.Verdict != machines.Later {
			break
		}
		if pause.Wait(ctx, s.link, machines.ErrNobody, nil) != nil {
			break
		}
	}
	d.Ack()
}
