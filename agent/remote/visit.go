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

// visit is one conversation with a worker, from its hello to its last line.
type visit struct {
	ctx  context.Context // of the run, and ends with the worker at the latest
	end  context.CancelFunc
	run  context.Context
	port agent.Port
	hold func(provider string, pause time.Duration) time.Duration
	mode func() string // nil: see Host
	pipe *pipes
	out  sender
	from *receiver

	calls   sync.WaitGroup // those under way
	stopped sync.Once

	over    chan struct{} // closed when the worker says nothing more; then these stand:
	heard   bool          // it said something
	outcome *lifecycle.Outcome
	broken  error // why what it said could not be read; nil at a plain end

	latest lifecycle.Progress // the listener's until over
}

func newVisit(ctx context.Context, port agent.Port, p *pipes) *visit {
	v := &visit{run: ctx, port: port, pipe: p, out: sender{to: p.toChild}, from: newReceiver(p.fromChild, longestLine), over: make(chan struct{})}
	v.ctx, v.end = context.WithCancel(ctx)
	return v
}

// listen serves the worker until its last message.
func (v *visit) listen() {
	defer close(v.over)
	for {
		var m fromWorker
		if err := v.from.next(&m); err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrDeadlineExceeded) {
				v.broken = err
			}
			return
		}
		v.heard = true
		switch m.Act {
		case actEnd:
			v.outcome = &lifecycle.Outcome{Text: m.Text, Err: m.Error.err()}
			return
		case actReport:
			if m.Progress != nil {
				v.latest = *m.Progress
				v.port.Report(v.latest)
			}
		case actStep, actRecord, actAnswered, actAsk, actHold, actMode:
			v.calls.Go(func() { v.serve(m) })
		default:
			v.broken = fmt.Errorf("an unknown request %q", m.Act)
			return
		}
	}
}

// serve does one thing that the worker asks for and tells it what came of it.
func (v *visit) serve(m fromWorker) {
	r, err := v.call(m)
	if v.run.Err() != nil {
		v.stop() // or it would take the error of a stopped run for a fault
	}
	r.ID, r.Run, r.Spent, r.Error = m.ID, v.port.Run(), v.port.Spent(), faultOf(err)
	v.send(toWorker{Reply: &r})
}

// call keeps a panic to the run, as the supervisor does for a worker of its own.
func (v *visit) call(m fromWorker) (r reply, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			slog.Error("a worker's call panicked", "act", m.Act, "panic", broken, "stack", string(debug.Stack()))
			err = &lifecycle.Failure{Kind: lifecycle.FailPanic, Message: fmt.Sprintf("a bug in Pawl ended this run: %v", broken)}
		}
	}()
	if err := v.own(m.Entries); err != nil {
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
		r.Pause = v.hold(m.Provider, m.Pause)
	case actMode:
		if v.mode != nil {
			r.Mode = v.mode()
		}
	case actReport, actEnd: // listen has taken them
	}
	return r, err
}

// own refuses what is for the transcript of another run.
func (v *visit) own(entries []lifecycle.Entry) error {
	run := v.port.Run()
	for _, entry := range entries {
		if entry.Session != run.Session || entry.Run != run.ID {
			return fmt.Errorf("an entry for run %s, from the process of %s", entry.Run, run.ID)
		}
	}
	return nil
}

func (v *visit) answered(m fromWorker) error {
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
func (v *visit) stop() {
	v.stopped.Do(func() { v.send(toWorker{Stop: context.Cause(v.run).Error()}) })
}

// send says something to the worker. Where it does not listen any more it is
// ending, and that is noticed otherwise.
func (v *visit) send(m toWorker) { _ = v.out.send(m) }

// finish reads what a dead worker had still said, and returns when nothing that
// it asked for is under way.
func (v *visit) finish() {
	v.pipe.toChild.Close() // whoever still writes to it gives up
	_ = v.pipe.fromChild.SetReadDeadline(time.Now().Add(drainLimit))
	<-v.over
	v.end()
	v.calls.Wait()
}

// keepRest records the text of the open step that came and was not recorded yet.
func (v *visit) keepRest() {
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
