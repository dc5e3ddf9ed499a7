package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"

	"pawl/agent"
	"pawl/internal/system"
	"pawl/lifecycle"
)

// workerConn is the connection to one worker, from its hello to its last message.
type workerConn struct {
	ctx  context.Context // of the run; ends with the worker at the latest
	end  context.CancelFunc
	run  context.Context
	port agent.Port
	host Host
	pipe *pipes
	out  sender
	from *receiver

	calls   sync.WaitGroup // requests that are waiting for something
	waiting chan struct{}  // holds a value for each of calls
	stopped sync.Once

	over    chan struct{} // closed after the worker's last message; the next three are then final
	heard   bool          // it sent its hello
	outcome *lifecycle.Outcome
	broken  error // why reading stopped; nil at an ordinary end

	latest lifecycle.Progress // the listener's until over is closed
	failed error              // of the first change that could not be recorded; the listener's
	agreed agreed
}

func newWorkerConn(ctx context.Context, host Host, port agent.Port, p *pipes) *workerConn {
	c := &workerConn{
		run: ctx, host: host, port: port, pipe: p, out: sender{to: p.toChild}, from: newReceiver(system.ReadPipe(p.fromChild), maxLine),
		over: make(chan struct{}), waiting: make(chan struct{}, maxWaiting),
	}
	c.ctx, c.end = context.WithCancel(ctx)
	return c
}

// open sends the first message, before any reply: a worker that another host has begun to drive may ask
// at once. A host that goes on in place of another begins with a line of its own: the other may have
// ended within one.
func (c *workerConn) open(first toWorker) {
	c.out.sendFirst(first, first.Resume)
}

// maxWaiting is how many requests of a worker may be waiting for something, such as a
// person or the end of a command: many times the calls of one answer.
const maxWaiting = 256

// listen serves the worker until its last message.
func (c *workerConn) listen() {
	defer close(c.over)
	for {
		var m fromWorker
		if err := c.from.next(&m); err != nil {
			if !endOfPipe(err) {
				c.broken = err
			}
			return
		}
		if over := c.handle(m); over {
			return
		}
	}
}

// endOfPipe reports whether the pipe has ended. Half a message is not an invalid one: the
// process was killed while it wrote.
func endOfPipe(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrDeadlineExceeded)
}

// handle handles one message, and reports whether it was the last. Quick requests are
// served one by one, so that a flood of them waits in the pipe and not in Pawl's memory;
// only requests that wait for something run beside them.
func (c *workerConn) handle(m fromWorker) (over bool) {
	if !c.heard {
		return c.meet(m)
	}
	switch m.Act {
	case actEnd:
		c.outcome = &lifecycle.Outcome{Text: m.Text, Err: m.Error.err()}
	case actReport:
		if m.Progress != nil {
			c.latest = *m.Progress
			c.port.Report(c.latest)
		}
	case actShellNews, actShellEnd:
		c.host.Commands.heard(m)
	case actStep, actRecord, actAnswered, actHold, actMode, actToday, actRoster:
		c.serve(m)
	case actAsk, actTool, actKey, actEffect, actHook:
		c.serveAside(m)
	case actHello:
		c.again(m)
	default:
		c.broken = fmt.Errorf("an unknown request %q", m.Act)
	}
	return c.outcome != nil || c.broken != nil
}

// meet handles what comes before the hello of a worker. A host that goes on in place of another
// skips what the other was told: it comes again, but for the end of a worker that is gone.
func (c *workerConn) meet(m fromWorker) (over bool) {
	switch {
	case c.host.Resume && m.Act == actEnd && m.Protocol == Protocol:
		c.outcome = &lifecycle.Outcome{Text: m.Text, Err: m.Error.err()}
		return true
	case c.host.Resume && m.Act != actHello:
		return false
	case m.Act != actHello || m.Protocol != Protocol:
		c.heard = true
		c.broken = &versionError{m.Protocol}
		return true
	case m.New: // the other has told it nothing
		c.begin()
		return c.broken != nil
	}
	c.heard = true
	c.host.Commands.connect(c)
	return false
}

// again handles one more hello. A worker answers each host, and what it answered one that has ended
// may reach the next, ahead of the answer to that: what the other was told comes again behind it.
func (c *workerConn) again(m fromWorker) {
	switch {
	case !c.host.Resume:
		c.broken = errors.New("a second hello")
	case m.Protocol != Protocol:
		c.broken = &versionError{m.Protocol}
	}
}

// begin tells a worker everything, which waits for it.
func (c *workerConn) begin() {
	opening, err := c.host.hello(c.ctx, c.port)
	if err != nil {
		c.broken = &setupError{err}
		return
	}
	c.open(toWorker{Hello: opening})
}

// setupError says why a worker could not be told what it needs.
type setupError struct{ error }

// serveAside serves a request in another goroutine.
func (c *workerConn) serveAside(m fromWorker) {
	select {
	case c.waiting <- struct{}{}:
		c.calls.Go(func() {
			c.serve(m)
			<-c.waiting
		})
	default:
		c.broken = fmt.Errorf("more than %d requests at once", maxWaiting)
	}
}

// serve serves one request and sends the reply.
func (c *workerConn) serve(m fromWorker) {
	r, err := c.call(m)
	switch {
	case left(c.run):
		return // whoever goes on serves it
	case c.run.Err() != nil:
		c.stop() // or it would take a stopped run's error for a failure
	}
	r.ID, r.Run, r.Spent, r.Error = m.ID, c.port.Run(), c.port.Spent(), wireErrorOf(err)
	c.send(toWorker{Reply: &r})
}

// call turns a panic into a failure of the run, as the supervisor does for its own workers.
func (c *workerConn) call(m fromWorker) (r reply, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			slog.Error("a worker's call panicked", "act", m.Act, "panic", broken, "stack", string(debug.Stack()))
			err = &lifecycle.Failure{Kind: lifecycle.FailPanic, Message: fmt.Sprintf("a bug in Pawl ended this run: %v", broken)}
		}
	}()
	if err := c.checkOwner(m.Entries); err != nil {
		return r, err
	}
	switch m.Act {
	case actStep, actRecord, actAnswered:
		r.Entries, err = c.change(m)
	case actAsk:
		r.Answer, err = c.ask(m)
	case actHold:
		r.Pause = c.host.Gate.Hold(m.Provider, m.Pause)
	case actMode:
		if c.host.Mode != nil {
			r.Mode = c.host.Mode()
		}
	case actToday:
		if c.host.Today == nil {
			return r, errors.New("nobody here knows what the day has cost")
		}
		r.Today, err = c.host.Today(c.ctx)
	case actKey:
		r.Key, err = c.key(m)
	case actRoster:
		r.Roster = agent.OpenRuns(c.port.Scope(), c.port.Run())
	case actTool:
		r.Result, err = c.perform(m)
	case actEffect:
		r.Effect, err = c.effectOf(m)
	case actHook:
		r.Hook, err = c.runHooks(m.ID, m.Hook)
	case actHello, actReport, actShellNews, actShellEnd, actEnd: // done in handle
	}
	return r, err
}

// checkOwner refuses entries for another run's transcript.
func (c *workerConn) checkOwner(entries []lifecycle.Entry) error {
	run := c.port.Run()
	for _, entry := range entries {
		if entry.Session != run.Session || entry.Run != run.ID {
			return fmt.Errorf("an entry for run %s, from the process of %s", entry.Run, run.ID)
		}
	}
	return nil
}

// stop tells the worker to stop, once.
func (c *workerConn) stop() {
	c.stopped.Do(func() { c.send(toWorker{Stop: context.Cause(c.run).Error()}) })
}

// tellActivity tells the worker what a request of it is doing.
func (c *workerConn) tellActivity(id int64, text string) {
	c.send(toWorker{Activity: &activity{id, text}})
}

// send sends a message. If the worker no longer reads, it is ending, which is noticed
// elsewhere.
func (c *workerConn) send(m toWorker) { _ = c.out.send(m) }
