package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
)

// tester is what a stage needs of a test.
type tester interface {
	require.TestingT
	Helper()
	Context() context.Context
}

// stage is a supervisor whose runs do what a test tells them to.
type stage struct {
	t       tester
	s       *Supervisor
	journal *memory
	rules   ruleShelf
	mu      sync.Mutex
	scripts map[string]func(ctx context.Context, port *Port) Outcome // by prompt
}

const root SessionID = "root"

func newStage(t tester, change ...func(*Options)) *stage {
	st := &stage{t: t, journal: newMemory(), scripts: map[string]func(context.Context, *Port) Outcome{}}
	return st.open(change...)
}

// open makes a supervisor over the stage's journal: the first, or a restart.
func (st *stage) open(change ...func(*Options)) *stage {
	options := Options{Journal: st.journal, Work: st.work, Limits: DefaultLimits(), Attended: true, Permissions: &st.rules}
	for _, c := range change {
		c(&options)
	}
	st.s = New(options)
	_, err := st.s.Open(st.t.Context(), root, Spec{Type: "main", Folder: "/src", Model: "test/m"})
	require.NoError(st.t, err)
	return st
}

func (st *stage) close() { require.NoError(st.t, st.s.Close(context.Background(), CauseQuit)) }

// on says what a run with this prompt does. A run without one takes its step and
// ends.
func (st *stage) on(prompt string, do func(ctx context.Context, port *Port) Outcome) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.scripts[prompt] = do
}

func (st *stage) work(ctx context.Context, port *Port) Outcome {
	st.mu.Lock()
	do, ok := st.scripts[port.Run().Prompt]
	st.mu.Unlock()
	if ok {
		return do(ctx, port)
	}
	if _, err := port.Step(); err != nil {
		return Outcome{Err: err}
	}
	return Outcome{Text: "ok"}
}

func (st *stage) do(command Command) Reply {
	st.t.Helper()
	reply, err := st.s.Do(st.t.Context(), command)
	require.NoError(st.t, err)
	return reply
}

func (st *stage) say(text string) Run {
	return st.do(Send{Session: root, Text: text}).Runs[0]
}

func (st *stage) runs() []Run {
	snap, err := st.s.Snapshot(root)
	require.NoError(st.t, err)
	return snap.Runs
}

func (st *stage) run(id RunID) Run {
	for _, run := range st.runs() {
		if run.ID == id {
			return run
		}
	}
	require.Fail(st.t, "no run", id)
	return Run{}
}

// child finds the newest run of the subagent with this description.
func (st *stage) child(description string) Run {
	runs := st.runs()
	for i := len(runs) - 1; i >= 0; i-- {
		if runs[i].Description == description {
			return runs[i]
		}
	}
	require.Fail(st.t, "no subagent", description)
	return Run{}
}

// untilStopped is a worker that works until it is stopped.
func untilStopped(ctx context.Context, port *Port) Outcome {
	if _, err := port.Step(); err != nil {
		return Outcome{Err: err}
	}
	if err := port.Record(nil, Text{"half of it"}); err != nil {
		return Outcome{Err: err}
	}
	<-ctx.Done()
	return Outcome{Err: context.Cause(ctx)}
}

// launch starts a subagent from a worker of the root, as a loop would: its call is
// open, until it is answered where the run is in the background.
func launch(port *Port, prompt string, background bool) (Run, error) {
	call := CallID("call-" + prompt)
	if err := port.Record(nil, ToolStarted{Call: call, Tool: "agent"}); err != nil {
		return Run{}, err
	}
	run, err := port.Scope().Start(Spec{Call: call, Type: "general", Description: prompt, Prompt: prompt, Background: background}, "")
	if err == nil && !background {
		return run, nil
	}
	return run, errors.Join(err, answer(port, call))
}

// answer gives a call its result, which tells of these runs.
func answer(port *Port, call CallID, told ...Told) error {
	run := port.Run()
	entry := Entry{Session: run.Session, Run: run.ID, Kind: EntryToolResult, Call: call, Body: json.RawMessage(`{}`)}
	return port.Answered(entry, ToolEnded{Call: call, Tool: "agent", Status: ToolOK}, nil, told)
}

// told is what a result tells: the end of the run, if it has one.
func told(run Run, by Consumer) []Told {
	if !run.State.Terminal() {
		return nil
	}
	return []Told{{run.ID, by}}
}

// launching is a parent that starts these in the background, and ends.
func launching(prompts ...string) func(context.Context, *Port) Outcome {
	return func(_ context.Context, port *Port) Outcome {
		if _, err := port.Step(); err != nil {
			return Outcome{Err: err}
		}
		for _, prompt := range prompts {
			if _, err := launch(port, prompt, true); err != nil {
				return Outcome{Err: err}
			}
		}
		return Outcome{Text: "launched"}
	}
}

// waiting is a parent that starts one in the foreground and waits for it.
func waiting(prompt string, got *Run) func(context.Context, *Port) Outcome {
	return func(ctx context.Context, port *Port) Outcome {
		if _, err := port.Step(); err != nil {
			return Outcome{Err: err}
		}
		if err := awaiting(ctx, port, prompt, got); err != nil {
			return Outcome{Err: err}
		}
		if ctx.Err() != nil {
			return Outcome{Err: context.Cause(ctx)}
		}
		return Outcome{Text: "parent done"}
	}
}

// awaiting is one call of a step that starts one in the foreground and waits for it.
func awaiting(ctx context.Context, port *Port, prompt string, got *Run) error {
	run, err := launch(port, prompt, false)
	if err != nil {
		return err
	}
	if *got, err = port.Scope().Wait(ctx, run.ID); err != nil {
		return err
	}
	return answer(port, run.Call, told(*got, ByToolResult)...)
}

// pass lets virtual time go by.
func pass(d time.Duration) { <-time.After(d) }

// released is a worker that ends when told to.
func released(by <-chan struct{}) func(context.Context, *Port) Outcome {
	return func(ctx context.Context, port *Port) Outcome {
		if _, err := port.Step(); err != nil {
			return Outcome{Err: err}
		}
		select {
		case <-by:
			return Outcome{Text: "ok"}
		case <-ctx.Done():
			return Outcome{Err: context.Cause(ctx)}
		}
	}
}

// cannotBegin is a worker that fails before its first step.
func cannotBegin(context.Context, *Port) Outcome {
	return Outcome{Err: &Failure{Kind: FailSetup, Message: "no key"}}
}

// returned lists the messages that went back to whoever wrote them.
func (st *stage) returned() (texts []string) {
	for _, rec := range st.journal.records {
		if e, ok := rec.Event.(MessageWithdrawn); ok && e.Returned {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// done is closed when a run has ended.
func (st *stage) done(id RunID) <-chan struct{} {
	st.s.mu.Lock()
	defer st.s.mu.Unlock()
	return st.s.trees[root].handle(id).done
}

// crash lets the process die, and returns what another one finds. The stage stands
// on that from now on.
func (st *stage) crash() {
	found := st.journal.copy()
	st.journal.heals()
	require.NoError(st.t, st.s.Close(context.Background(), CauseQuit))
	st.journal = found
}

// stubborn is a worker that takes this long to end after it was stopped.
func stubborn(after time.Duration) func(context.Context, *Port) Outcome {
	return func(ctx context.Context, port *Port) Outcome {
		out := untilStopped(ctx, port)
		pass(after)
		return out
	}
}
