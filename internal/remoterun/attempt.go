package remoterun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"pawl/agent/remote"
	"pawl/internal/checkout"
	"pawl/internal/machines"
	"pawl/internal/machines/dispatch"
	"pawl/lifecycle"
)

// How long bringing home what a run has left may take.
const (
	returnStopped = 1500 * time.Millisecond // of one that was stopped: a stop takes 2 s at most
	returnEnded   = 10 * time.Minute        // of one that has ended by itself
)

// attempt is one try at a run.
type attempt struct {
	runs   *Runs
	port   *lifecycle.Port
	number int
	server *server
	placed *dispatch.Placement
}

// work places the run, or finds it where it is, drives it, and brings home what it leaves.
func (a *attempt) work(ctx context.Context) lifecycle.Outcome {
	var err error
	if a.server, err = a.connected(ctx); err != nil {
		return a.runs.Unheard(ctx, a.port, a.unable(ctx, err))
	}
	a.placed, err = a.place(ctx)
	switch {
	case errors.Is(err, machines.ErrLost):
		return a.home(ctx, lost())
	case err != nil:
		return a.home(ctx, a.unable(ctx, err)) // its worktree of an earlier run is there still
	}
	out := a.drive(ctx)
	if isLeft(ctx) {
		return lifecycle.Outcome{Err: context.Cause(ctx)}
	}
	out = a.home(ctx, out)
	if !isLeft(ctx) {
		out.Saved = a.placed.End // until then another host may ask its worker for the end
	}
	return out
}

// connected returns the connection. For a run that an earlier process began it waits until there is one,
// whatever is in the way: the run may be at work on another machine, and its end must not be lost. It
// ends with ctx.
func (a *attempt) connected(ctx context.Context) (*server, error) {
	for said := ""; ; {
		s, err := a.runs.connected(ctx)
		if err == nil || !a.port.Kept() || errors.Is(err, lifecycle.ErrClosing) {
			return s, err
		}
		why := "waits for the NATS server at " + a.runs.Link.Address()
		if !machines.Passing(err) {
			why = "waits for a server: " + err.Error()
		}
		if why != said {
			say(a.port, why)
			said = why
		}
		select {
		case <-time.After(tryEvery):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// isLeft reports whether the run is to be left where it is.
func isLeft(ctx context.Context) bool { return errors.Is(context.Cause(ctx), lifecycle.ErrLeft) }

func lost() lifecycle.Outcome {
	return lifecycle.Outcome{Err: &lifecycle.Stopped{Cause: lifecycle.CauseWorkerLost}}
}

// unable is the end of a run that could not be worked at.
func (a *attempt) unable(ctx context.Context, err error) lifecycle.Outcome {
	if ctx.Err() != nil {
		return lifecycle.Outcome{Err: context.Cause(ctx)}
	}
	return lifecycle.Outcome{Err: &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: err.Error()}}
}

// place finds a worker, or the one that the run is with since an earlier process of its session.
func (a *attempt) place(ctx context.Context) (*dispatch.Placement, error) {
	run := a.port.Run()
	placing, cancel := context.WithCancelCause(ctx)
	defer cancel(context.Canceled)
	send := a.sending(placing, run, cancel)
	order := dispatch.Order{
		Run: run.ID, Attempt: a.number, Labels: run.Labels, Idempotent: run.Idempotent,
		Waiting: func(why string) { say(a.port, why) },
		Grant: func(ctx context.Context, claim machines.Claim) (json.RawMessage, error) {
			return a.grant(ctx, claim, send)
		},
	}
	if run.Placed != nil && run.Placed.Attempt == a.number {
		return a.server.dispatcher.Resume(placing, order, run.Placed.Worker)
	}
	go func() { _, _ = send() }() // beside the search for a worker: Grant says how it went
	placed, err := a.server.dispatcher.Place(placing, order)
	if err != nil {
		cancel(err)
		_, _ = send() // nothing of it comes after its end
	}
	return placed, err
}

// sending returns what brings the checkout to the store, once, and waits for that. If it cannot be
// brought there, no worker is looked for any more.
func (a *attempt) sending(ctx context.Context, run lifecycle.Run, failed context.CancelCauseFunc) func() (checkout.Ref, error) {
	return sync.OnceValues(func() (checkout.Ref, error) {
		var ref checkout.Ref
		err := a.server.link.Persist(ctx, func() (err error) {
			ref, err = a.server.home.Send(ctx, run)
			return err
		})
		if err != nil {
			failed(err)
		}
		return ref, err
	})
}

// grant records that a worker has the run, and says what it needs for it.
func (a *attempt) grant(ctx context.Context, claim machines.Claim, send func() (checkout.Ref, error)) (json.RawMessage, error) {
	if a.runs.Lends && (!a.server.link.TLS() || !claim.TLS) {
		return nil, fmt.Errorf(`remote.keys = "lend" needs TLS from here to the server and from there to %s: name the server with tls://, or let workers use their own keys`, claim.Machine)
	}
	say(a.port, "sending its checkout to "+claim.Machine)
	ref, err := send()
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	if run := a.port.Run(); run.Placed == nil || run.Placed.Attempt != a.number { // else it was not answered
		err = a.port.Place(lifecycle.Placed{Worker: claim.Worker, Machine: claim.Machine, Version: claim.Version, Attempt: a.number})
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(Grant{Checkout: ref})
}

// drive is the host of the run until its process is gone.
func (a *attempt) drive(ctx context.Context) lifecycle.Outcome {
	host, err := a.runs.Host(ctx, a.port)
	if err != nil {
		return a.unable(ctx, err)
	}
	host.Resume = a.placed.Resumed()
	host.Start = func(ctx context.Context, in, out *os.File) (remote.Exit, error) { return a.placed.Pipe(ctx, in, out) }
	return host.Work(ctx, a.port)
}

// home brings home what the run has left, and adds to its outcome what became of that.
func (a *attempt) home(ctx context.Context, out lifecycle.Outcome) lifecycle.Outcome {
	limit := returnEnded
	if ctx.Err() != nil {
		limit = returnStopped
	}
	work, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), limit, errors.New("it took too long"))
	defer cancel()
	defer context.AfterFunc(ctx, func() { // a stop, or the end of Pawl, meanwhile
		if isLeft(ctx) {
			cancel()
			return
		}
		time.AfterFunc(returnStopped, cancel)
	})()
	had, err := a.left(work, out)
	if errors.Is(err, machines.ErrLost) {
		err = nil
		if out.Err == nil { // what it has said has come, and what it has changed never will
			out.Err = lost().Err
		}
	}
	if err == nil {
		out = had.completed(out)
		out.Worktree, err = a.server.home.Return(work, a.port.Run(), had.result())
	}
	if err != nil && out.Err == nil {
		out.Err = &lifecycle.Failure{Kind: lifecycle.FailSetup, Message: "what it changed could not be brought home: " + err.Error()}
	}
	if isLeft(ctx) {
		return out
	}
	if err != nil {
		warn(a.port, fmt.Sprintf("what it changed on %s did not come home: %s; if it was sent, the server's store pawl_results keeps it as %s/%d for 7 days", a.port.Run().Machine(), err, a.port.Run().ID, a.number))
	}
	if had != nil && len(had.Checkout.Left) > 0 {
		warn(a.port, fmt.Sprintf("repositories that it made inside the checkout on %s did not come home, only their folders' names: %s", a.port.Run().Machine(), strings.Join(had.Checkout.Left, ", ")))
	}
	return out
}

// warn records that something of what the run changed is not here.
func warn(port *lifecycle.Port, message string) {
	if err := port.Record(nil, lifecycle.Warned{Kind: lifecycle.WarnResult, Message: message}); err != nil {
		slog.Error("record that something of a run did not come home", "run", port.Run().ID, "error", err, "missing", message)
	}
}

// left is what the run has left; nil: nothing. ErrLost: its worker is gone with it.
func (a *attempt) left(ctx context.Context, out lifecycle.Outcome) (*left, error) {
	if a.placed == nil || isLost(out) {
		return nil, nil
	}
	data, err := a.placed.Result(ctx)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	var all left
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("read what it has left: %w", err)
	}
	return &all, nil
}
