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

// workerConn is one conversation with a worker, from its hello to its last line.
type workerConn struct {
	ctx  context.Context // of the run, and ends with the worker at the latest
	end  context.CancelFunc
	run  context.Context
	port agent.Port
	host Host
	pipe *pipes
	out  sender
	from *receiver

	calls   sync.WaitGroup // those that wait for something, under way
	waiting chan struct{}  // holds a value for each of them
	stopped sync.Once

	over    chan struct{} // closed when the worker says nothing more; then these stand:
	heard   bool          // it said something
	outcome *lifecycle.Outcome
	broken  error // why it is listened to no longer; nil at a plain end

	latest lifecycle.Progress // the listener's until over
}

func newWorkerConn(ctx context.Context, host Host, port agent.Port, p *pipes) *workerConn {
	v := &workerConn{
		run: ctx, host: host, port: port, pipe: p, out: sender{to: p.toChild}, from: newReceiver(p.fromChild, maxLine),
		over: make(chan struct{}), waiting: make(chan struct{}, maxWaiting),
	}
	v.ctx, v.end = context.WithCancel(ctx)
	return v
}

// maxWaiting is how many requests that wait for something, a person or the end of
// a command, a worker may have under way: many times the calls of one answer.
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

// endOfPipe says that nothing more comes. Half a message is no nonsense: a process
// that is killed says no more of what it was saying.
func endOfPipe(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrDeadlineExceeded)
}

// handle does what one message says, and reports whether it is the last that is heard.
// What a worker asks for without end is done one by one, so that it waits in its pipe
// and not in Pawl's memory; only what waits for something gets out of the way.
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
		v.broken = errors.New("hello again")
	default:
		v.broken = fmt.Errorf("an unknown request %q", m.Act)
	}
	return v.outcome != nil || v.broken != nil
}

// serveAside serves beside what else the worker asks for.
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

// serve does one thing that the worker asks for and tells it what came of it.
func (v *workerConn) serve(m fromWorker) {
	r, err := v.call(m)
	if v.run.Err() != nil {
		v.stop() // or it would take the error of a stopped run for a fault
	}
	r.ID, r.Run, r.Spent, r.Error = m.ID, v.port.Run(), v.port.Spent(), wireErrorOf(err)
	v.send(toWorker{Reply: &r})
}

// call keeps a panic to the run, as the supervisor does for a worker of its own.
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
	case actHello, actReport, actEnd: // heed has taken them
	}
	return r, err
}

// checkOwner refuses what is for the transcript of another run.
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
		return errors.New("not one result with its end")
	}
	end, ok := m.Events[0].is.(lifecycle.ToolEnded)
	if !ok {
		return errors.New("the end of a call is none")
	}
	return v.port.Answered(m.Entries[0], end, m.Told)
}

// stop tells the worker to stop, once.
func (v *workerConn) stop() {
	v.stopped.Do(func() { v.send(toWorker{Stop: context.Cause(v.run).Error()}) })
}

// send says something to the worker. Where it does not listen any more it is
// ending, and that is noticed otherwise.
func (v *workerConn) send(m toWorker) { _ = v.out.send(m) }

// finish reads what a dead worker had still said, and returns when nothing that
// it asked for is under way.
func (v *workerConn) finish() {
	v.pipe.toChild.Close() // whoever still writes to it gives up
	_ = v.pipe.fromChild.SetReadDeadline(time.Now().Add(drainLimit))
	<-v.over
	v.end()
	v.calls.Wait()
}

// keepRest records the text of the open step that came and was not recorded yet.
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
