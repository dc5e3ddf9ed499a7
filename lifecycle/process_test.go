package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/stretchr/testify/require"
)

// process is what works at a remote run. It is there whether or not a process of Pawl is.
type process struct {
	mu      sync.Mutex
	attempt int
	asked   int64             // requests so far
	waiting map[CallID]int64  // those that were questions, and have no answer
	newest  int64             // of the others, the last
	again   func(*Port) error // sends that again
}

// copyOf are the processes as they are now.
func copyOf(far map[RunID]*process) map[RunID]*process {
	copied := map[RunID]*process{}
	for id, p := range far {
		copied[id] = &process{attempt: p.attempt, asked: p.asked, waiting: maps.Clone(p.waiting), newest: p.newest, again: p.again}
	}
	return copied
}

// left reports whether Pawl has ended, and the run goes on.
func (p *scriptedWorker) left() bool { return errors.Is(context.Cause(p.ctx), ErrLeft) }

// serve makes a request: numbered, if it comes from elsewhere.
func (p *scriptedWorker) serve(do func(*Port) error) error {
	if p.far == nil {
		return do(p.port)
	}
	p.far.mu.Lock()
	defer p.far.mu.Unlock()
	p.far.asked++
	err := do(p.port.At(p.far.asked))
	if err == nil {
		p.far.newest, p.far.again = p.far.asked, do
	}
	return err
}

// ask asks about a call, for the first time or again.
func (p *scriptedWorker) ask(call CallID) error {
	port := p.port
	if p.far != nil {
		p.far.mu.Lock()
		number := p.far.waiting[call]
		if number == 0 {
			p.far.asked++
			number = p.far.asked
			p.far.waiting[call] = number
		}
		p.far.mu.Unlock()
		port = port.At(number)
	}
	_, err := port.Ask(p.ctx, Question{Call: call, Tool: "shell", Subject: "ls"})
	if p.far != nil && !p.left() {
		p.far.mu.Lock()
		delete(p.far.waiting, call)
		p.far.mu.Unlock()
	}
	return err
}

// remote works at a remote run: it finds what works at it already, or has it placed.
func (th *harness) remote(p *scriptedWorker, leave func(), stubborn bool) Outcome {
	id := p.port.id
	th.guard.Lock()
	far := th.far[id]
	th.guard.Unlock()
	switch placed := p.port.Run().Placed; {
	case far != nil:
		p.far = far
		if err := th.resumed(p); err != nil {
			return Outcome{Err: err}
		}
	case placed != nil:
		if out := th.placeAgain(p, placed.Attempt); out != nil {
			return *out
		}
	default:
		if err := th.place(p, 1); err != nil {
			return Outcome{Err: err}
		}
	}
	return p.obey(p.ctx, leave, stubborn)
}

// place lets a worker take the run, and begin.
func (th *harness) place(p *scriptedWorker, attempt int) error {
	if err := p.port.Place(Placed{Worker: fmt.Sprintf("w%d", attempt), Machine: "oak", Attempt: attempt}); err != nil {
		return err
	}
	p.far = &process{attempt: attempt, waiting: map[CallID]int64{}}
	th.guard.Lock()
	th.far[p.port.id] = p.far
	th.guard.Unlock()
	if err := p.mend(th.journal.openCalls(p.port.session)); err != nil {
		return err
	}
	return p.begin()
}

// placeAgain is what becomes of a run whose worker is lost.
func (th *harness) placeAgain(p *scriptedWorker, attempt int) *Outcome {
	if !p.port.Run().Idempotent || attempt == 3 || p.ctx.Err() != nil {
		return &Outcome{Err: &Stopped{Cause: CauseWorkerLost, Reason: "no sign of oak"}}
	}
	if err := p.port.Record(nil, Warned{Kind: WarnWorkerLost, Message: "placed again"}); err != nil {
		return &Outcome{Err: err}
	}
	return failing(th.place(p, attempt+1))
}

// resumed sends again what may not have been answered. It changes nothing.
func (th *harness) resumed(p *scriptedWorker) error {
	if p.far.again != nil {
		before := th.recordsOf(p.port.id)
		if err := p.far.again(p.port.At(p.far.newest)); err != nil {
			return err
		}
		require.Equal(th.t, before, th.recordsOf(p.port.id), "request %d of run %s is served twice", p.far.newest, p.port.id)
	}
	cutOff := slices.DeleteFunc(th.journal.openCalls(p.port.session), func(t OpenTool) bool { return p.far.waiting[t.Call] > 0 })
	if err := p.mend(cutOff); err != nil { // tools at home, which ended with Pawl
		return err
	}
	for call := range p.far.waiting {
		p.open[call] = true
		p.await(call, func() ([]Told, error) { return nil, p.ask(call) })
	}
	return nil
}

func (th *harness) recordsOf(run RunID) (n int) {
	th.journal.mu.Lock()
	defer th.journal.mu.Unlock()
	for _, rec := range th.journal.records {
		if rec.Run == run && rec.Request > 0 {
			n++
		}
	}
	return n
}

// lose lets the machine of a remote run vanish.
func (th *harness) lose(a act) {
	run, ok := th.one(a, func(r Run) bool { return r.Remote() && atWorkNow(r) })
	if !ok {
		return
	}
	th.order(run.ID, func(p *scriptedWorker) *Outcome {
		if p.busy() {
			return nil // its questions end with its connection, which the harness does not have
		}
		out := th.placeAgain(p, p.port.Run().Placed.Attempt)
		if out != nil && th.faults == 0 {
			th.want[run.ID] = StateInterrupted
		}
		return out
	})
}
