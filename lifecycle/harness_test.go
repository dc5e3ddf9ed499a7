package lifecycle

import (
	"context"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// scriptedWorker is a worker that does what the harness orders, with a real loop's
// manners: it records each tool's result, and returns when all have theirs.
type scriptedWorker struct {
	port   *Port
	ctx    context.Context
	orders chan func() *Outcome
	broken chan error
	gone   chan struct{} // closed when it takes no more orders
	tools  sync.WaitGroup
	open   map[CallID]bool // by the harness's goroutine and tools, under the mutex
	mu     sync.Mutex
	far    *process // of a remote run: what works at it elsewhere
}

// tool runs one call beside the worker and records its result.
func (p *scriptedWorker) tool(call CallID, name string, run func() ([]Told, error)) *Outcome {
	p.mu.Lock()
	p.open[call] = true
	p.mu.Unlock()
	if err := p.serve(func(port *Port) error { return port.Record(nil, ToolStarted{Call: call, Tool: name}) }); err != nil {
		return &Outcome{Err: err}
	}
	p.await(call, run)
	return nil
}

// await runs a call that has begun.
func (p *scriptedWorker) await(call CallID, run func() ([]Told, error)) {
	p.tools.Go(func() {
		told, err := run()
		if p.left() {
			return // it waits on, elsewhere
		}
		if err != nil {
			told = nil
		}
		if failed := p.serve(func(port *Port) error { return answer(port, call, told...) }); failed != nil {
			select {
			case p.broken <- failed:
			default:
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, call)
	})
}

// mend answers the calls that earlier runs of its session left open, as a loop does
// before its first step: a call that waited for a run tells of that.
func (p *scriptedWorker) mend(open []OpenTool) error {
	for _, tool := range open {
		var told []Told
		for _, run := range slices.Backward(p.port.Scope().Runs()) {
			if tool.Tool == "agent" && run.Call == tool.Call {
				if run.State.Terminal() {
					told = []Told{{run.ID, ByToolResult}}
				}
				break
			}
		}
		if err := p.serve(func(port *Port) error { return answer(port, tool.Call, told...) }); err != nil {
			return err
		}
	}
	return nil
}

// begin takes the run's first step, or sums the conversation up.
func (p *scriptedWorker) begin() error {
	if p.port.Run().Trigger == TriggerCompact {
		return p.port.Record(nil, Compacted{Summary: "so far", Before: 9, After: 1})
	}
	return p.step()
}

func (p *scriptedWorker) step() error {
	return p.serve(func(port *Port) error {
		_, err := port.Step()
		return err
	})
}

func (p *scriptedWorker) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open) > 0
}

// harness is a stage and the small model that it is held against.
type harness struct {
	*stage
	guard   sync.Mutex
	workers map[RunID]*scriptedWorker
	unable  bool // runs that begin now fail before their first step
	// stubborn: runs that begin now take longer to end than a stop waits
	stubborn bool

	want     map[RunID]State      // how runs must have ended
	texts    map[MessageID]string // acknowledged, as last edited
	prompts  []RunID              // acknowledged
	reopened bool
	earlier  []Run // what there was when this process opened the session
	held     bool
	faults   int
	healed   int // of the faults, those that what waited has had time to get over
	calls    int
	closed   bool
	log      *reading
	far      map[RunID]*process // what works at remote runs, whatever becomes of this process
}

var small = Limits{Background: 2, Queue: 3, Foreground: 2, Remote: 2, ForegroundWarning: 10 * time.Minute, Shells: 3, AutoResumes: 3}

func (th *harness) begin() {
	th.s = New(Options{Journal: th.journal, Work: th.work, Limits: small, Attended: true, AskInBackground: true, Permissions: new(ruleShelf)})
	snap, err := th.s.Open(context.Background(), root, Spec{})
	require.NoError(th.t, err)
	th.reopened, th.held, th.earlier = snap.Reopened, false, snap.Runs
}

func (th *harness) work(ctx context.Context, port *Port) (out Outcome) {
	p := &scriptedWorker{port: port, ctx: ctx, orders: make(chan func() *Outcome), broken: make(chan error, 1), gone: make(chan struct{}), open: map[CallID]bool{}}
	th.guard.Lock()
	unable, stubborn := th.unable, th.stubborn
	th.workers[port.id] = p
	th.guard.Unlock()
	leave := sync.OnceFunc(func() { close(p.gone) })
	defer func() {
		leave()
		p.tools.Wait()
		th.guard.Lock()
		defer th.guard.Unlock()
		delete(th.workers, port.id)
		if !p.left() || out.Err == nil {
			delete(th.far, port.id)
		}
	}()
	if unable && port.Run().Placed == nil {
		return cannotBegin(ctx, port)
	}
	if port.Run().Shell() {
		return p.obey(ctx, leave, stubborn)
	}
	if port.Run().Remote() {
		return th.remote(p, leave, stubborn)
	}
	if err := p.mend(th.journal.openCalls(port.session)); err != nil {
		return Outcome{Err: err}
	}
	if err := p.begin(); err != nil {
		return Outcome{Err: err}
	}
	return p.obey(ctx, leave, stubborn)
}

// obey carries out orders until one of them, or a stop, is the end.
func (p *scriptedWorker) obey(ctx context.Context, leave func(), stubborn bool) Outcome {
	for {
		select {
		case order := <-p.orders:
			if out := order(); out != nil {
				return *out
			}
		case err := <-p.broken:
			return Outcome{Err: err}
		case <-ctx.Done():
			leave()
			if stubborn && !p.left() {
				pass(3 * stopGrace)
			}
			return Outcome{Err: context.Cause(ctx)}
		}
	}
}

// order lets the worker of a run do something, and returns when it has settled.
func (th *harness) order(id RunID, do func(p *scriptedWorker) *Outcome) {
	th.guard.Lock()
	p := th.workers[id]
	th.guard.Unlock()
	if p == nil {
		return
	}
	select {
	case p.orders <- func() *Outcome { return do(p) }:
		synctest.Wait()
	case <-p.gone:
	}
}

// seen is a run as anybody may see it, and whether its end was lost.
type seen struct {
	Run
	lost bool
}

func (th *harness) all() (runs []seen) {
	th.s.mu.Lock()
	defer th.s.mu.Unlock()
	t := th.s.trees[root]
	for _, id := range t.order {
		runs = append(runs, seen{t.current(id), t.Lost(id)})
	}
	return runs
}

// those lists runs that match.
func (th *harness) those(match func(Run) bool) []seen {
	return slices.DeleteFunc(th.all(), func(r seen) bool { return !match(r.Run) })
}

func unended(r Run) bool   { return !r.State.Terminal() }
func unasked(r Run) bool   { return unended(r) && r.StopRequestedAt.IsZero() }
func atWorkNow(r Run) bool { return r.State == StateRunning }

// one chooses a run.
func (th *harness) one(a act, match func(Run) bool) (Run, bool) {
	runs := th.those(match)
	if len(runs) == 0 {
		return Run{}, false
	}
	return runs[a.Who%len(runs)].Run, true
}

// latest is the newest run of each subagent.
func (th *harness) latest() []seen {
	newest := map[SessionID]int{}
	var runs []seen
	for _, r := range th.those(Run.Subagent) {
		if i, ok := newest[r.Session]; ok {
			runs[i] = r
			continue
		}
		newest[r.Session] = len(runs)
		runs = append(runs, r)
	}
	return runs
}

func (th *harness) agent(a act) (seen, bool) {
	runs := th.latest()
	if len(runs) == 0 {
		return seen{}, false
	}
	return runs[a.Who%len(runs)], true
}

func (th *harness) healthy() bool {
	th.journal.mu.Lock()
	defer th.journal.mu.Unlock()
	return th.journal.failing == 0
}
