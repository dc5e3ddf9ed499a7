package machines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"pawl/lifecycle"
)

// Kind is what a request to a host or a worker is about: the last part of its subject.
type Kind string

// What hosts are asked.
const (
	KindClaim  Kind = "claim"  // Claim, signed: may I work at it?
	KindBeat   Kind = "beat"   // Beat: these attempts are here
	KindUp     Kind = "up"     // a Frame of a process's output
	KindGone   Kind = "gone"   // Gone, in a Frame: a process has ended
	KindResult Kind = "result" // Result, in a Frame: what a run left
	KindRefuse Kind = "refuse" // Refusal, signed: a job is not taken
	KindProbe  Kind = "probe"  // from the host itself: nothing is on its way any more
)

// What workers are told.
const (
	KindDown   Kind = "down"   // a Frame for a process's input
	KindKill   Kind = "kill"   // Order: end the process; what the run left is still wanted
	KindEnd    Kind = "end"    // Order: the attempt is over
	KindResume Kind = "resume" // Order: the host is there again
)

// ToHost is the subject of requests to the host of a root session.
func ToHost(root lifecycle.SessionID, kind Kind) string {
	return "pawl.host." + string(root) + "." + string(kind)
}

// kindOf is the kind of a subject.
func kindOf(subject string) Kind { return Kind(subject[strings.LastIndexByte(subject, '.')+1:]) }

// ToWorker is the subject of requests to a worker.
func ToWorker(id string, kind Kind) string { return "pawl.worker." + id + "." + string(kind) }

// Request is one that came in.
type Request struct {
	Kind Kind
	Data []byte
	link *Link
	m    *nats.Msg
}

// Reply answers. An answer that cannot be sent is lost, and asked for again.
func (r *Request) Reply(answer []byte) { _ = r.m.Respond(answer) }

// ReplyJSON answers with a value.
func (r *Request) ReplyJSON(answer any) {
	if body, err := json.Marshal(answer); err == nil {
		r.Reply(body)
	}
}

// Serve calls handle for each request on the subjects of a host or a worker, which ToHost or
// ToWorker give for the kind "*", one by one in the order in which the server sent them. It must
// not wait. stop ends that, and returns when no call is running.
func (l *Link) Serve(subject string, handle func(*Request)) (stop func(), err error) {
	requests := make(chan *nats.Msg, 4096)
	sub, err := l.nc.ChanSubscribe(subject, requests)
	if err != nil {
		return nil, fmt.Errorf("listen on %s of the NATS server: %s", subject, short(err))
	}
	quit, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case m := <-requests:
				handle(&Request{Kind: kindOf(m.Subject), Data: m.Data, link: l, m: m})
			case <-quit:
				return
			}
		}
	}()
	return func() {
		_ = sub.Unsubscribe() // fails if the link is closed: then nothing comes
		close(quit)
		<-over
	}, nil
}

// Publish sends a message that nobody acknowledges.
func (l *Link) Publish(subject string, body []byte) error { return l.nc.Publish(subject, body) }

// Ask sends a request once, and waits for the reply for Times.Ask at most. Errors: ErrNobody, that
// there is no connection, or that the time is over.
func (l *Link) Ask(ctx context.Context, subject string, body []byte) ([]byte, error) {
	reply, err := l.ask(ctx, &nats.Msg{Subject: subject, Data: body})
	if err != nil {
		return nil, err
	}
	return reply.Data, nil
}

func (l *Link) ask(ctx context.Context, m *nats.Msg) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, l.o.Times.Ask)
	defer cancel()
	reply, err := l.nc.RequestMsgWithContext(ctx, m)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, ErrNobody
	}
	return reply, err
}

// AskJSON is Ask with values: reply is a pointer.
func (l *Link) AskJSON(ctx context.Context, subject string, request, reply any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	answer, err := l.Ask(ctx, subject, body)
	if err != nil {
		return err
	}
	return read(subject, answer, reply)
}

func read(subject string, answer []byte, reply any) error {
	if err := json.Unmarshal(answer, reply); err != nil {
		return fmt.Errorf("an answer on %s cannot be read: %w", subject, err)
	}
	return nil
}

// AskSealed is AskJSON for the other end of a connection alone. A connection has one request of each
// kind, which may be sent again.
func (l *Link) AskSealed(ctx context.Context, subject string, conn Conn, request, reply any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	frame := conn.Seal(kindOf(subject), Frame{Attempt: conn.Attempt, Conn: conn.Number, Data: body})
	answer, err := l.Ask(ctx, subject, frame)
	if err != nil {
		return err
	}
	return read(subject, answer, reply)
}

// Pause is the wait between two tries of a request. The zero value is ready.
type Pause struct{ tries int }

// Wait returns when a request that ended with err should be sent again: at once after its time was
// over, with the connection if there is none, else after a pause that grows. It returns early when
// wake is closed or has a value, and with ctx's cause when that ends.
func (p *Pause) Wait(ctx context.Context, l *Link, err error, wake <-chan struct{}) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil
	}
	if !l.Connected() {
		p.tries = 0
	}
	pause := min(10*time.Millisecond<<min(p.tries, 16), l.o.Times.Ask/2)
	p.tries++
	timer := time.NewTimer(pause/2 + rand.N(pause))
	defer timer.Stop()
	for {
		changed := l.Changed()
		connected := l.Connected()
		select {
		case <-changed:
			if !connected && l.Connected() {
				return nil
			}
		case <-wake:
			return nil
		case <-timer.C:
			return l.WaitConnected(ctx)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Reset makes the next pause a short one.
func (p *Pause) Reset() { p.tries = 0 }

// Persist calls try until it succeeds, fails for another reason than that the server was away or slow,
// or has had no success for Times.Server. Before each further try it waits for the connection. It
// returns the last error of try, or ctx's cause.
func (l *Link) Persist(ctx context.Context, try func() error) error {
	limited, cancel := context.WithTimeout(ctx, l.o.Times.Server)
	defer cancel()
	var pause Pause
	for {
		err := try()
		if err == nil || !passing(err) || limited.Err() != nil {
			return err
		}
		if pause.Wait(limited, l, err, nil) != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
	}
}
