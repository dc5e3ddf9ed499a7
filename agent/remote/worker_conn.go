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
	v := &workerConn{
		run: ctx, host: host, port: port, pipe: p, out: sender{to: p.toChild}, from: newReceiver(p.fromChild, maxLine),
		over: make(chan struct{}), waiting: make(chan struct{}, maxWaiting),
	}
	v.ctx, v.end = context.WithCancel(ctx)
	return v
}

// maxWaiting is how many requests of a worker may be waiting for something, such as a
// person or the end of a command: many times the calls of one answer.
const maxWaiting = 256

// listen serves the worker until its last message.
func (v *workerConn) listen() {
	defer close(v.over)
	for {
		var m fromWorker
		if err := v.from.next(&m); err != nil {
			if !endOfPipe(err) {
				v.broken = err
			}
			return
		}
		if over := v.handle(m); over {
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
func (v *workerConn) handle(m fromWorker) (over bool) {
	if !v.heard {
		v.heard = true
		if m.Act != actHello || m.Protocol != protocol {
			v.broken = &versionError{m.Protocol}
		}
		return v.broken != nil
	}
	switch m.Act {
	case actEnd:
		v.outcome = &lifecycle.Outcome{Text: m.Text, Err: m.Error.err()}
	case actReport:
		if m.Progress != nil {
			v.latest = *m.Progress
			v.port.Report(v.latest)
		}
	case actStep, actRecord, actAnswered, actHold, actMode, actRoster:
		v.serve(m)
	case actAsk, actTool:
		v.serveAside(m)
	case actHello:
		v.broken = errors.New("a second hello")
	default:
		v.broken = fmt.Errorf("an unknown request %q", m.Act)
	}
	return v.outcome != nil || v.broken != nil
}

// serveAside serves a request in another goroutine.
func (v *workerConn) serveAside(m fromWorker) {
	select {
	case v.waiting <- struct{}{}:
		v.calls.Go(func() {
			v.serve(m)
			<-v.waiting
		})
	default:
		v.broken = fmt.Errorf("more than %d requests at once", maxWaiting)
	}
}

// serve serves one request and sends the reply.
func (v *workerConn) serve(m fromWorker) {
	r, err := v.call(m)
	if v.run.Err() != nil {
		v.stop() // or it would take a stopped run's error for a failure
	}
	r.ID, r.Run, r.Spent, r.Error = m.ID, v.port.Run(), v.port.Spent(), wireErrorOf(err)
	v.send(toWorker{Reply: &r})
}

// call turns a panic into a failure of the run, as the supervisor does for its own workers.
func (v *workerConn) call(m fromWorker) (r reply, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			slog.Error("a worker's call panicked", "act", m.Act, "panic", broken, "stack", string(debug.Stack()))
			err = &lifecycle.Failure{Kind: lifecycle.FailPanic, Message: fmt.Sprintf("a bug in Pawl ended this run: %v", broken)}
		}
	}()
	if err := v.checkOwner(m.Entries); err != nil {
		return r, err
	}
	switch m.Act {
	case actStep:
		r.Entries, err = v.port.Step()
	case actRecord:
		err = v.port.Record(m.Entries, unwrapped(m.Events)...)
	case actAnswered:
		err = v.answered(m)
	case actAsk:
		if m.Question == nil {
			return r, errors.New("no question")
		}
		m.Question.Input = m.Input
		r.Answer, err = v.port.Ask(v.ctx, *m.Question)
	case actHold:
		r.Pause = v.host.Gate.Hold(m.Provider, m.Pause)
	case actMode:
		if v.host.Mode != nil {
			r.Mode = v.host.Mode()
		}
	case actRoster:
		r.Roster = agent.OpenRuns(v.port.Scope(), v.port.Run())
	case actTool:
		r.Result, err = v.perform(m.Tool)
	case actHello, actReport, actEnd: // done in handle
	}
	return r, err
}

// checkOwner refuses entries for another run's transcript.
func (v *workerConn) checkOwner(entries []lifecycle.Entry) error {
	run := v.port.Run()
	for _, entry := range entries {
		if entry.Session != run.Session || entry.Run != run.ID {
			return fmt.Errorf("an entry for run %s, from the process of %s", entry.Run, run.ID)
		}
	}
	return nil
}

func (v *workerConn) answered(m fromWorker) error {
	if len(m.Entries) != 1 || len(m.Events) != 1 {
		return errors.New("not exactly one result and its end")
	}
	end, ok := m.Events[0].is.(lifecycle.ToolEnded)
	if !ok {
		return errors.New("the event is not the end of a call")
	}
	return v.port.Answered(m.Entries[0], end, m.Told)
}

// stop tells the worker to stop, once.
func (v *workerConn) stop() {
	v.stopped.Do(func() { v.send(toWorker{Stop: context.Cause(v.run).Error()}) })
}

// send sends a message. If the worker no longer reads, it is ending, which is noticed
// elsewhere.
func (v *workerConn) send(m toWorker) { _ = v.out.send(m) }

// finish reads the remaining messages of a dead worker, and returns when none of its
// requests is running.
func (v *workerConn) finish() {
	v.pipe.toChild.Close() // pending writes fail
	_ = v.pipe.fromChild.SetReadDeadline(time.Now().Add(drainLimit))
	<-v.over
	v.end()
	v.calls.Wait()
}

// keepRest records text of the open step that arrived but was not recorded.
func (v *workerConn) keepRest() {
	run, shown := v.port.Run(), v.latest
	recorded := ""
	if run.TextStep == run.Step {
		recorded = run.Partial
	}
	rest, ok := strings.CutPrefix(shown.Text, recorded)
	if !ok || rest == "" || shown.Step != run.Step {
		return
	}
	if err := v.port.Record(nil, lifecycle.Text{Text: rest}); err != nil {
		slog.Error("the last text of a worker was not saved", "run", run.ID, "error", err)
	}
}
