package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"pawl/agent"
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
	heard   bool          // it sent something
	outcome *lifecycle.Outcome
	broken  error // why reading stopped; nil at an ordinary end

	latest lifecycle.Progress // the listener's until over is closed
}

func newWorkerConn(ctx context.Context, host Host, port agent.Port, p *pipes) *workerConn {
	c := &workerConn{
		run: ctx, host: host, port: port, pipe: p, out: sender{to: p.toChild}, from: newReceiver(p.fromChild, maxLine),
		over: make(chan struct{}), waiting: make(chan struct{}, maxWaiting),
	}
	c.ctx, c.end = context.WithCancel(ctx)
	return c
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
		c.heard = true
		if m.Act != actHello || m.Protocol != protocol {
			c.broken = &versionError{m.Protocol}
		}
		return c.broken != nil
	}
	switch m.Act {
	case actEnd:
		c.outcome = &lifecycle.Outcome{Text: m.Text, Err: m.Error.err()}
	case actReport:
		if m.Progress != nil {
			c.latest = *m.Progress
			c.port.Report(c.latest)
		}
	case actStep, actRecord, actAnswered, actHold, actMode, actToday, actRoster:
		c.serve(m)
	case actAsk, actTool:
		c.serveAside(m)
	case actHello:
		c.broken = errors.New("a second hello")
	default:
		c.broken = fmt.Errorf("an unknown request %q", m.Act)
	}
	return c.outcome != nil || c.broken != nil
}

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
	if c.run.Err() != nil {
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
	case actStep:
		r.Entries, err = c.port.Step()
	case actRecord:
		err = c.port.Record(m.Entries, unwrapped(m.Events)...)
	case actAnswered:
		err = c.answered(m)
	case actAsk:
		if m.Question == nil {
			return r, errors.New("no question")
		}
		m.Question.Input = m.Input
		r.Answer, err = c.port.Ask(c.ctx, *m.Question)
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
	case actRoster:
		r.Roster = agent.OpenRuns(c.port.Scope(), c.port.Run())
	case actTool:
		r.Result, err = c.perform(m.Tool)
	case actHello, actReport, actEnd: // done in handle
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

func (c *workerConn) answered(m fromWorker) error {
	if len(m.Entries) != 1 || len(m.Events) < 1 || len(m.Events) > 2 {
		return errors.New("not exactly one result, its end and at most what it changed")
	}
	end, ok := m.Events[0].is.(lifecycle.ToolEnded)
	if !ok {
		return errors.New("the event is not the end of a call")
	}
	if len(m.Events) == 1 {
		return c.port.Answered(m.Entries[0], end, nil, m.Told)
	}
	changed, ok := m.Events[1].is.(lifecycle.FilesChanged)
	if !ok {
		return errors.New("the event is not what a call changed in files")
	}
	return c.port.Answered(m.Entries[0], end, &changed, m.Told)
}

// stop tells the worker to stop, once.
func (c *workerConn) stop() {
	c.stopped.Do(func() { c.send(toWorker{Stop: context.Cause(c.run).Error()}) })
}

// send sends a message. If the worker no longer reads, it is ending, which is noticed
// elsewhere.
func (c *workerConn) send(m toWorker) { _ = c.out.send(m) }

// finish reads the remaining messages of a dead worker, and returns when none of its
// requests is running.
func (c *workerConn) finish() {
	c.pipe.toChild.Close() // pending writes fail
	_ = c.pipe.fromChild.SetReadDeadline(time.Now().Add(drainLimit))
	<-c.over
	c.end()
	c.calls.Wait()
}

// keepRest records text of the open step that arrived but was not recorded.
func (c *workerConn) keepRest() {
	run, shown := c.port.Run(), c.latest
	recorded := ""
	if run.TextStep == run.Step {
		recorded = run.Partial
	}
	rest, ok := strings.CutPrefix(shown.Text, recorded)
	if !ok || rest == "" || shown.Step != run.Step {
		return
	}
	if err := c.port.Record(nil, lifecycle.Text{Text: rest}); err != nil {
		slog.Error("the last text of a worker was not saved", "run", run.ID, "error", err)
	}
}
