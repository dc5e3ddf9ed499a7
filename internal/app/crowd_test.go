package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/modeltest"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

// Many runs in one process, on the real database, with the real loop, tools and
// shell children: each kind ends as it must, each end is told once, and what they
// used is given back.

// crowdSize is how many runs there are: enough to see a leak of one a run in the
// gate, the design's number in the soak.
func crowdSize() int {
	if os.Getenv("PAWL_SOAK") != "" {
		return 10_000
	}
	return 250
}

const batch = 25 // as many as run and wait at once

// lots are what becomes of the runs of a batch, over and over: what the first word
// of the prompt says.
var lots = []string{
	"talk", "talk", "talk", "empty", "fail", "shell", "talk", "late", "talk", "refuse", "talk", "hang",
}

// fateStates are the ends that each can have. Who is stopped at once is mostly
// stopped in line, and may have been too quick.
var fateStates = map[string][]lifecycle.State{
	"talk": {lifecycle.StateCompleted}, "shell": {lifecycle.StateCompleted}, "wait": {lifecycle.StateCompleted},
	"empty": {lifecycle.StateCompletedEmpty}, "fail": {lifecycle.StateFailed}, "refuse": {lifecycle.StateFailed},
	"hang": {lifecycle.StateCanceledByUser}, "late": {lifecycle.StateCanceledByUser, lifecycle.StateCompleted},
}

// fateful is a model whose answers are in the prompt.
type fateful struct{}

func (fateful) Stream(_ context.Context, req agent.Request, on func(agent.Delta)) (agent.Response, error) {
	fate, _, _ := strings.Cut(req.Messages[0].Text(), " ")
	call := func(command string) (agent.Response, error) {
		input, _ := json.Marshal(map[string]string{"command": command})
		part := agent.Part{Call: &agent.Call{ID: lifecycle.NewCallID(), Name: "shell", Input: input}}
		return agent.Response{Message: agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{part}}, Stop: agent.StopToolCalls}, nil
	}
	answered := req.Messages[len(req.Messages)-1].Role == agent.RoleTool
	switch {
	case fate == "shell" && !answered:
		return call("echo one; (sleep 1000 &) ; echo two") // it leaves a child behind
	case fate == "hang":
		return call("echo up; sleep 1000")
	case fate == "empty":
		return agent.Response{Message: agent.Message{Role: agent.RoleAssistant}, Stop: agent.StopEnd}, nil
	case fate == "fail":
		return agent.Response{}, &agent.ProviderError{Kind: lifecycle.FailAuth, Message: "the key is wrong"}
	}
	on(agent.Delta{Text: "I am " + fate})
	m := agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "I am " + fate}}}
	if fate == "refuse" {
		return agent.Response{Message: m, Stop: agent.StopRefused}, nil
	}
	return agent.Response{Message: m, Stop: agent.StopEnd}, nil
}

// crowd is a session whose parent does what the test says, and whose subagents are
// the loop's.
type crowd struct {
	*testing.T
	store      *store.Store
	supervisor *lifecycle.Supervisor
	root       lifecycle.SessionID
	folder     string
	orders     chan func(port *lifecycle.Port)
	played     int
}

func newCrowd(t *testing.T) *crowd {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	c := &crowd{
		T: t, store: db, root: lifecycle.NewSessionID(), folder: t.TempDir(),
		orders: make(chan func(*lifecycle.Port)),
	}
	c.supervisor = lifecycle.New(lifecycle.Options{Journal: db, Work: c.work, Limits: lifecycle.DefaultLimits()})
	_, err = c.supervisor.Open(t.Context(), c.root, lifecycle.Spec{Type: agent.TypeGeneral, Model: "crowd/m", Folder: c.folder})
	require.NoError(t, err)
	_, err = c.supervisor.Do(t.Context(), lifecycle.Send{Session: c.root, Text: "go"})
	require.NoError(t, err)
	return c
}

func (c *crowd) work(ctx context.Context, port *lifecycle.Port) lifecycle.Outcome {
	if port.Run().Subagent() {
		loop := agent.Loop{Entries: c.store.Entries, Kit: c.kit, Resolve: func(string) (agent.Provider, string, error) { return fateful{}, "m", nil }}
		return loop.Work(ctx, port)
	}
	for order := range c.orders {
		order(port)
	}
	return lifecycle.Outcome{Text: "all of them"}
}

func (c *crowd) kit(_ context.Context, run lifecycle.Run) (agent.Kit, error) {
	w, err := workspace.Open(c.folder)
	return agent.Kit{
		Tools:  tools.Working(tools.Equipment{Workspace: w, Launcher: &process.Launcher{Owner: run.ID}}),
		Permit: func(agent.Effect) agent.Decision { return agent.Decision{Allow: true} },
		Close:  func() { _ = w.Close() },
	}, err
}

// stopTheHanging stops what has a child that would not end, as soon as it has.
func (c *crowd) stopTheHanging(ctx context.Context) {
	_ = c.supervisor.Watch(ctx, c.root, 0, func(u lifecycle.Updates) {
		for _, p := range u.Progress {
			if strings.Contains(p.Activity, "up") {
				_, _ = c.supervisor.Do(ctx, lifecycle.Stop{Session: p.Session, Cause: lifecycle.CauseKey})
			}
		}
	})
}

// play starts a batch, and returns when all of it has ended and was told.
func (c *crowd) play(number int) {
	done := make(chan error)
	c.orders <- func(port *lifecycle.Port) { done <- c.batch(port, number) }
	require.NoError(c, <-done)
	c.played += batch
}

func (c *crowd) batch(port *lifecycle.Port, number int) error {
	runs, errs := make([]lifecycle.Run, batch), make([]error, batch)
	var all sync.WaitGroup
	for i := range runs { // the last one in the foreground, beside those it waits with
		fate := lots[(number*(batch-1)+i)%len(lots)]
		if i == batch-1 {
			fate = "wait"
		}
		all.Go(func() { runs[i], errs[i] = c.start(port, fate) })
	}
	all.Wait()
	for i, run := range runs {
		for errs[i] == nil && !run.State.Terminal() {
			run, errs[i] = port.Scope().Await(c.Context(), run.ID, time.Minute)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	_, err := port.Step() // all are told
	return err
}

// Start is the agent tool, as a loop calls it.
func (c *crowd) start(port *lifecycle.Port, fate string) (run lifecycle.Run, err error) {
	call, background := lifecycle.NewCallID(), fate != "wait"
	if err := port.Record(nil, lifecycle.ToolStarted{Call: call, Tool: "agent"}); err != nil {
		return run, err
	}
	spec := lifecycle.Spec{Call: call, Type: agent.TypeGeneral, Description: fate, Prompt: fate + " to me", Background: background}
	if run, err = port.Scope().Start(spec, ""); err != nil {
		return run, err
	}
	if fate == "late" {
		if _, err = c.supervisor.Do(c.Context(), lifecycle.Stop{Session: run.Session, Cause: lifecycle.CauseKey}); err != nil {
			return run, err
		}
	}
	var told []lifecycle.Told
	if !background {
		if run, err = port.Scope().Wait(c.Context(), run.ID); err != nil {
			return run, err
		}
		told = []lifecycle.Told{{Run: run.ID, By: lifecycle.ByToolResult}}
	}
	entry := lifecycle.Entry{Session: c.root, Run: port.Run().ID, Kind: lifecycle.EntryToolResult, Call: call, Body: json.RawMessage(`{}`)}
	return run, port.Answered(entry, lifecycle.ToolEnded{Call: call, Tool: "agent", Status: lifecycle.ToolOK}, nil, told)
}

// close ends it and holds every run against its fate.
func (c *crowd) close() {
	close(c.orders)
	require.NoError(c, c.supervisor.Close(context.Background(), lifecycle.CauseQuit))
	runs, err := c.store.Runs(c.Context(), c.root, 0, 0)
	require.NoError(c, err)
	require.Len(c, runs, c.played+1)
	for _, run := range runs[1:] {
		require.Contains(c, fateStates[run.Description], run.State, run.Description)
		require.NotNil(c, run.Consumed, "%s was told", run.Description)
		require.Equal(c, run.Background, run.Notification != nil && run.Notification.InRun != "", "once, and in its way")
	}
	require.NoError(c, c.store.Close())
}

// footprint is what the process holds.
type footprint struct{ goroutines, files, children int }

func takeFootprint(t *testing.T) footprint {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	if len(links) == 0 {
		t.Skip("without /proc nobody counts")
	}
	f := footprint{goroutines: runtime.NumGoroutine()}
	for _, link := range links {
		// The database's readers come and go within the bound of their pool.
		if target, err := os.Readlink(link); err == nil && !strings.Contains(target, "pawl.db") {
			f.files++
		}
	}
	threads, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, thread := range threads {
		list, err := os.ReadFile(thread)
		if err != nil && !errors.Is(err, os.ErrNotExist) { // the thread has ended
			require.NoError(t, err)
		}
		f.children += len(strings.Fields(string(list)))
	}
	return f
}

// within says that nothing more is there than in another one: a goroutine that was
// about to go when that was taken may be missing.
func (f footprint) within(other footprint) bool {
	return f.goroutines <= other.goroutines && f.files == other.files && f.children == other.children
}

// settles waits until the footprint is within this one again: a goroutine that has
// said its last word is not gone yet.
func settles(t *testing.T, want footprint) footprint {
	t.Helper()
	var got footprint
	for deadline := time.Now().Add(modeltest.Patience); ; runtime.Gosched() {
		if got = takeFootprint(t); got.within(want) || time.Now().After(deadline) {
			return got
		}
	}
}

func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

func TestTenThousandRunsInOneProcess(t *testing.T) {
	before := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	defer slog.SetDefault(before)
	outside := takeFootprint(t)
	c := newCrowd(t)
	watching, stop := context.WithCancel(t.Context())
	watched := make(chan struct{})
	go func() { defer close(watched); c.stopTheHanging(watching) }()
	c.play(0) // opens what stays open
	base, begun := takeFootprint(t), time.Now()
	t.Logf("%8s %12s %8s %10s %10s %8s", "runs", "goroutines", "files", "children", "heap MB", "seconds")
	every := crowdSize() / 10 / batch
	for number := 1; number*batch < crowdSize(); number++ {
		c.play(number)
		if number%every == 0 {
			now := settles(t, base)
			t.Logf("%8d %12d %8d %10d %10.1f %8.1f", c.played, now.goroutines, now.files, now.children, heapMB(), time.Since(begun).Seconds())
			require.True(t, now.within(base), "%+v after %d runs, at first %+v", now, c.played, base)
		}
	}
	stop()
	<-watched
	c.close()
	left := settles(t, outside)
	require.True(t, left.within(outside), "%+v is left of it, before it was %+v", left, outside)
}
