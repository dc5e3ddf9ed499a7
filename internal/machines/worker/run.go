package worker

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"pawl/internal/machines"
)

// run is an attempt that this worker has, from the host's grant until the host says that it is over.
type run struct {
	s     *server
	run   Run
	pipes pipes
	fault error // why the pipes could not be made
	up    *machines.Sender
	down  *machines.Receiver

	life   context.Context // the process's
	kill   context.CancelCauseFunc
	wanted context.Context // until nobody wants to hear of it any more
	forget context.CancelFunc

	redialed chan struct{} // holds a value when another host is to be told all again
	came     chan struct{} // holds a value when there is something new to tell

	mu        sync.Mutex
	conn      machines.Conn
	half      machines.Half // this worker's, of conn
	delivery  *machines.Delivery
	gone      *machines.Gone   // the process has ended
	result    *machines.Result // and this is what the run left
	lost      string           // why this worker gave it up; empty if it did not
	host      time.Duration    // when the host last answered, as elapsed had it at the question
	confirmed time.Duration    // when the server last did
}

var (
	errKilled = errors.New("its host ended it")
	errOver   = errors.New("the attempt is over")
)

func (s *server) newRun(job machines.Job, grant json.RawMessage, conn machines.Conn, half machines.Half, asked time.Duration) *run {
	r := &run{
		s: s, run: Run{Attempt: job.Attempt, Root: job.Root, Idempotent: job.Idempotent, Grant: grant},
		redialed: make(chan struct{}, 1), came: make(chan struct{}, 1), conn: conn, half: half, host: asked, confirmed: asked,
	}
	r.life, r.kill = context.WithCancelCause(context.Background())
	r.wanted, r.forget = context.WithCancel(context.Background())
	r.pipes, r.fault = newPipes()
	r.up = s.link.NewSender(machines.ToHost(job.Root, machines.KindUp))
	r.up.Connect(conn)
	r.down = machines.NewReceiver(r.pipes.toChild, machines.KindDown)
	r.down.Connect(conn)
	return r
}

// work makes the place, runs the process, and returns when the attempt is over.
func (r *run) work() {
	defer r.s.drop(r)
	var around sync.WaitGroup
	defer around.Wait()
	defer r.pipes.close()
	defer context.AfterFunc(r.wanted, r.up.Abandon)() // or a process with much to say would wait to be heard for ever
	around.Go(r.report)
	around.Go(func() {
		if err := r.up.Read(r.pipes.fromChild); err != nil {
			r.kill(err)
		}
	})
	place := r.process()
	r.leave(place)
	r.s.release()
	<-r.wanted.Done()
	if place != nil {
		place.Remove()
	}
}

// process runs the process in its place, which it returns if there is one.
func (r *run) process() Workplace {
	defer r.pipes.closeChild()
	gone := machines.Gone{Code: -1}
	place, err := Workplace(nil), r.fault
	if err == nil {
		place, err = r.s.o.Prepare(r.life, r.run)
	}
	if err == nil {
		exit, failed := place.Start(r.life, r.pipes.childIn, r.pipes.childOut)
		gone.Code, gone.Said, err = exit.Code, exit.Said, failed
	}
	if err != nil {
		gone.Error = err.Error()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost != "" {
		gone = machines.Gone{Code: -1, Said: r.lost, Lost: true}
	}
	r.gone = &gone
	signal(r.came)
	return place
}

// leave finds out what the run left.
func (r *run) leave(place Workplace) {
	var data json.RawMessage
	err := errors.New("the run left nothing: it did not begin")
	if place != nil {
		err = errOver
		if r.wanted.Err() == nil && r.isLost() == "" {
			data, err = place.Finish(r.wanted)
		}
	}
	result := machines.Result{Data: data}
	if err != nil {
		result.Error = err.Error()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result = &result
	signal(r.came)
}

// over ends the attempt: nobody wants anything of it.
func (r *run) over() {
	r.kill(errOver)
	r.forget()
}

// lose gives the attempt up. The host is told, for so long.
func (r *run) lose(why string, tell time.Duration) {
	r.mu.Lock()
	first := r.lost == "" && r.gone == nil
	if first {
		r.lost = why
	}
	r.mu.Unlock()
	if first {
		r.s.say("gives up run " + string(r.run.Run) + ": " + why)
	}
	r.kill(errors.New(why))
	time.AfterFunc(tell, r.forget)
}

func (r *run) isLost() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// resume joins a connection with another host, of a new key of this worker. The same number again is
// the same request again. A run that was given up is not known any more, but that is said only when
// its process is gone: the host may begin it elsewhere then. That a host asks does not mean that it
// hears: it is no sign of life.
func (r *run) resume(order machines.Order) machines.OrderReply {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.lost != "":
		return machines.OrderReply{Later: r.gone == nil}
	case order.Conn == r.conn.Number:
		return machines.OrderReply{Known: true, Key: r.half.Public()}
	}
	half, err := machines.NewHalf()
	var conn machines.Conn
	if err == nil {
		conn, err = half.Join(order.Key, r.run.Attempt, order.Conn)
	}
	if err != nil {
		return machines.OrderReply{Known: true, Error: err.Error()}
	}
	r.conn, r.half = conn, half
	r.down.Connect(conn)
	r.up.Connect(conn)
	signal(r.redialed)
	return machines.OrderReply{Known: true, Key: half.Public()}
}

func (r *run) connection() machines.Conn {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.conn
}

func (r *run) setDelivery(d *machines.Delivery) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.delivery = d
}

func (r *run) kept() *machines.Delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.delivery
}

// drop forgets a run that is over, and deletes its job.
func (s *server) drop(r *run) {
	s.mu.Lock()
	delete(s.runs, r.run.Attempt)
	s.mu.Unlock()
	r.kept().Ack()
}

func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}
