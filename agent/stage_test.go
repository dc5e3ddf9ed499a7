package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// memory is a journal in memory: real files do not advance virtual time.
type memory struct {
	mu      sync.Mutex
	records []lifecycle.Record
	entries []lifecycle.Entry
	runs    []lifecycle.Run
}

func (m *memory) Append(_ context.Context, changes []lifecycle.Change) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range changes {
		m.records = append(m.records, c.Records...)
		m.entries = append(m.entries, c.Entries...)
		for _, run := range c.Runs {
			i := slices.IndexFunc(m.runs, func(r lifecycle.Run) bool { return r.ID == run.ID })
			if i < 0 {
				m.runs = append(m.runs, run)
				continue
			}
			m.runs[i] = run
		}
	}
	return nil
}

func (m *memory) Load(context.Context, lifecycle.SessionID) (l lifecycle.Loaded, err error) {
	l.Runs, l.Seq = slices.Clone(m.runs), lifecycle.Seq(len(m.records))
	return l, nil
}

func (m *memory) Records(context.Context, lifecycle.SessionID, lifecycle.Seq, int) ([]lifecycle.Record, error) {
	return nil, nil
}

func (m *memory) of(_ context.Context, session lifecycle.SessionID) (own []lifecycle.Entry, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, entry := range m.entries {
		if entry.Session == session {
			own = append(own, entry)
		}
	}
	return own, nil
}

// model is a provider whose n-th answer is the n-th of its turns.
type model struct {
	mu    sync.Mutex
	turns []func(ctx context.Context, on func(Delta)) (Response, error)
	asked []Request
}

func (m *model) Stream(ctx context.Context, req Request, on func(Delta)) (Response, error) {
	m.mu.Lock()
	req.Messages = slices.Clone(req.Messages)
	m.asked = append(m.asked, req)
	n := len(m.asked) - 1
	m.mu.Unlock()
	if n >= len(m.turns) {
		return Response{}, fmt.Errorf("the script has no turn %d", n+1)
	}
	return m.turns[n](ctx, on)
}

func (m *model) requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

func says(text string) func(context.Context, func(Delta)) (Response, error) {
	return func(_ context.Context, on func(Delta)) (Response, error) {
		on(Delta{Text: text})
		return Response{Stop: StopEnd, Message: Message{Role: RoleAssistant, Parts: []Part{{Text: text}}}, Usage: lifecycle.Usage{InputTokens: 10, OutputTokens: 2}}, nil
	}
}

func calling(calls ...Call) func(context.Context, func(Delta)) (Response, error) {
	return func(context.Context, func(Delta)) (Response, error) {
		m := Message{Role: RoleAssistant, Parts: []Part{{Text: "let me see"}}}
		for _, call := range calls {
			m.Parts = append(m.Parts, Part{Call: &call})
		}
		return Response{Stop: StopToolCalls, Message: m}, nil
	}
}

func failing(err error) func(context.Context, func(Delta)) (Response, error) {
	return func(_ context.Context, on func(Delta)) (Response, error) {
		on(Delta{Text: "half an ans"})
		return Response{}, err
	}
}

// stage is a loop over a model and some tools, with a real supervisor.
type stage struct {
	t       *testing.T
	model   *model
	journal *memory
	s       *lifecycle.Supervisor
	tools   []Tool
	hidden  []Tool
	permit  func(Effect) Decision
	steps   int
	budget  Budget
	today   func(context.Context) (lifecycle.DayCost, error)
	named   string                                                            // the model, as its provider knows it; empty is m
	room    ModelInfo                                                         // what else is known of it: how long its context and its answers are
	worker  func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome // of subagents; nil: the loop
	holds   func() string                                                     // what stands, for a summary
	wall    func() time.Time
	gate    *Gate
	hooks   func(ctx context.Context, o HookInput) HookResult
	search  func() *WebSearch
	attach  func(text string) lifecycle.Attached
}

const root lifecycle.SessionID = "root"

func newStage(t *testing.T, turns ...func(context.Context, func(Delta)) (Response, error)) *stage {
	return &stage{t: t, model: &model{turns: turns}, journal: &memory{}}
}

func (st *stage) open() *stage {
	loop := Loop{
		wall:    st.wall,
		Gate:    st.gate,
		Resolve: func(string) (Provider, string, error) { return st.model, cmp.Or(st.named, "m"), nil },
		Info: func(model string) ModelInfo {
			traits := InfoOf(cmp.Or(st.named, model))
			traits.Context, traits.Output = st.room.Context, st.room.Output
			return traits
		},
		Entries: st.journal.of,
		Kit: func(context.Context, lifecycle.Run) (Kit, error) {
			return Kit{Prompt: SystemPrompt{{Text: "sys"}}, Tools: st.tools, Hidden: st.hidden, Permit: st.permit, MaxSteps: st.steps, Budget: st.budget, Today: st.today, Standing: st.holds, Hooks: st.hooks, Search: st.search}, nil
		},
	}
	work := inProcess(loop)
	if st.worker != nil {
		work = func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
			if port.Run().Child() {
				return st.worker(ctx, port)
			}
			return loop.Work(ctx, port)
		}
	}
	options := lifecycle.Options{Journal: st.journal, Work: work, Limits: lifecycle.DefaultLimits(), Attended: true}
	if st.attach != nil {
		options.Attach = func(_ context.Context, _ lifecycle.Run, text string, _ []string) lifecycle.Attached {
			return st.attach(text)
		}
	}
	st.s = lifecycle.New(options)
	_, err := st.s.Open(st.t.Context(), root, lifecycle.Spec{Model: "test/m"})
	require.NoError(st.t, err)
	return st
}

// inProcess is the worker of a loop.
func inProcess(loop Loop) lifecycle.Worker {
	return func(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome { return loop.Work(ctx, port) }
}

func (st *stage) close() {
	require.NoError(st.t, st.s.Close(context.Background(), lifecycle.CauseQuit))
}

func (st *stage) do(c lifecycle.Command) {
	st.t.Helper()
	_, err := st.s.Do(st.t.Context(), c)
	require.NoError(st.t, err)
}

func (st *stage) say(text string) { st.do(lifecycle.Send{Session: root, Text: text}) }

func (st *stage) last() lifecycle.Run {
	snap, err := st.s.Snapshot(root)
	require.NoError(st.t, err)
	return snap.Runs[len(snap.Runs)-1]
}

func (st *stage) transcript() []Message {
	entries, err := st.journal.of(st.t.Context(), root)
	require.NoError(st.t, err)
	messages, err := Transcript(entries)
	require.NoError(st.t, err)
	return messages
}

func (st *stage) events() (names []string) {
	for _, rec := range st.journal.records {
		names = append(names, lifecycle.Name(rec.Event))
	}
	return names
}

func call(id, name string) Call {
	return Call{ID: lifecycle.CallID(id), Name: name, Input: json.RawMessage(`{}`)}
}

// tool gives its name back, after do.
func tool(name string, do func(ctx context.Context)) Tool {
	return Tool{Spec: ToolSpec{Name: name}, ReadOnly: true, Run: func(ctx context.Context, _ Invocation) Result {
		if do != nil {
			do(ctx)
		}
		if ctx.Err() != nil {
			return ErrorResult(name + " was canceled")
		}
		return Result{Text: name + " gave this"}
	}}
}
