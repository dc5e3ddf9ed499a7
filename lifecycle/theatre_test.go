package lifecycle

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// puppet is a worker that does what the theatre orders, with a real loop's
// manners: it records each tool's result, and returns when all have theirs.
type puppet struct {
	port   *Port
	ctx    context.Context
	orders chan func() *Outcome
	broken chan error
	gone   chan struct{} // closed when it takes no more orders
	tools  sync.WaitGroup
	open   map[CallID]bool // by the theatre's goroutine and tools, under the mutex
	mu     sync.Mutex
}

// tool runs one call beside the puppet and records its result.
func (p *puppet) tool(call CallID, run func() ([]Told, error)) *Outcome {
	p.mu.Lock()
	p.open[call] = true
	p.mu.Unlock()
	if err := p.port.Record(nil, ToolStarted{Call: call, Tool: "tool"}); err != nil {
		return &Outcome{Err: err}
	}
	p.tools.Go(func() {
		told, err := run()
		if err != nil {
			told = nil
		}
		entry := Entry{Session: p.port.session, Run: p.port.id, Kind: EntryToolResult, Call: call, Body: json.RawMessage(`{}`)}
		if failed := p.port.Answered(entry, ToolEnded{Call: call, Tool: "tool", Status: ToolOK}, told); failed != nil {
			select {
			case p.broken <- failed:
			default:
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, call)
	})
	return nil
}

func (p *puppet) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open) > 0
}

// theatre is a stage and the small model that it is held against.
type theatre struct {
	*stage
	guard   sync.Mutex
	puppets map[RunID]*puppet
	unable  bool // runs that begin now fail before their first step

	want     map[RunID]State      // how runs must have ended
	texts    map[MessageID]string // acknowledged, as last edited
	prompts  []RunID              // acknowledged
	reopened bool
	held     bool
	faults   int
	healed   int // of the faults, those that what waited has had time to get over
	calls    int
	closed   bool
	log      *reading
}

var small = Limits{Background: 2, Queue: 3, Foreground: 2, ForegroundWarning: 10 * time.Minute, AutoResumes: 3}

func (th *theatre) begin() {
	th.s = New(Options{Journal: th.journal, Work: th.work, Limits: small, Attended: true, AskInBackground: true})
	snap, err := th.s.Open(context.Background(), root, Spec{})
	require.NoError(th.t, err)
	th.reopened, th.held = snap.Reopened, false
}

func (th *theatre) work(ctx context.Context, port *Port) Outcome {
	p := &puppet{port: port, ctx: ctx, orders: make(chan func() *Outcome), broken: make(chan error, 1), gone: make(chan struct{}), open: map[CallID]bool{}}
	th.guard.Lock()
	unable := th.unable
	th.puppets[port.id] = p
	th.guard.Unlock()
	defer func() {
		close(p.gone)
		p.tools.Wait()
		th.guard.Lock()
		defer th.guard.Unlock()
		delete(th.puppets, port.id)
	}()
	if unable {
		return cannotBegin(ctx, port)
	}
	if _, err := port.Step(); err != nil {
		return Outcome{Err: err}
	}
	for {
		select {
		case order := <-p.orders:
			if out := order(); out != nil {
				return *out
			}
		case err := <-p.broken:
			return Outcome{Err: err}
		case <-ctx.Done():
			return Outcome{Err: context.Cause(ctx)}
		}
	}
}

// order lets the puppet of a run do something, and returns when it has settled.
func (th *theatre) order(id RunID, do func(p *puppet) *Outcome) {
	th.guard.Lock()
	p := th.puppets[id]
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

func (th *theatre) all() (runs []seen) {
	th.s.mu.Lock()
	defer th.s.mu.Unlock()
	t := th.s.trees[root]
	for _, id := range t.order {
		runs = append(runs, seen{t.runs[id].current(), t.runs[id].lost})
	}
	return runs
}

// those lists runs that match.
func (th *theatre) those(match func(Run) bool) []seen {
	return slices.DeleteFunc(th.all(), func(r seen) bool { return !match(r.Run) })
}

func unended(r Run) bool   { return !r.State.Terminal() }
func atWorkNow(r Run) bool { return r.State == StateRunning }

// one chooses a run.
func (th *theatre) one(a act, match func(Run) bool) (Run, bool) {
	runs := th.those(match)
	if len(runs) == 0 {
		return Run{}, false
	}
	return runs[a.Who%len(runs)].Run, true
}

// latest is the newest run of each subagent.
func (th *theatre) latest() []seen {
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

func (th *theatre) agent(a act) (seen, bool) {
	runs := th.latest()
	if len(runs) == 0 {
		return seen{}, false
	}
	return runs[a.Who%len(runs)], true
}

func (th *theatre) healthy() bool {
	th.journal.mu.Lock()
	defer th.journal.mu.Unlock()
	return th.journal.failing == 0
}
