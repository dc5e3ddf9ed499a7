package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
	"pawl/tools/process"
	"pawl/tools/workspace"
)

// Many runs in one process, on the real database, with the real loop, tools and
// shell children: each kind ends as it must, each end is told once, and what they
// used is given back.

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
	"tell": {lifecycle.StateCompleted}, "hang": {lifecycle.StateCanceledByUser}, "late": {lifecycle.StateCanceledByUser, lifecycle.StateCompleted},
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
	if fate == "tell" { // 200 tokens a second for ten seconds, where the time is virtual
		for range 2000 {
			on(agent.Delta{Text: "word "})
			<-time.After(5 * time.Millisecond)
		}
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

// alone plays one run in the background to its end.
func (c *crowd) alone(fate string) {
	done := make(chan error)
	c.orders <- func(port *lifecycle.Port) {
		run, err := c.start(port, fate)
		for err == nil && !run.State.Terminal() {
			run, err = port.Scope().Await(c.Context(), run.ID, time.Minute)
		}
		if err == nil {
			_, err = port.Step()
		}
		done <- err
	}
	require.NoError(c, <-done)
	c.played++
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

// within says that nothing more is there than in another one: what was about to go
// when that was taken may be missing.
func (f footprint) within(other footprint) bool {
	return f.goroutines <= other.goroutines && f.files <= other.files && f.children <= other.children
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

// keptOfARun is how much of an ended run stays in memory, in KiB: its fold, without what it needed while it
// lived, and its places in the ledgers.
const keptOfARun = 2.2

// processorTime is what this process has used, to a hundredth of a second.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile("/proc/self/stat")
	require.NoError(t, err)
	_, fields, _ := strings.Cut(string(text), ") ")
	var ticks [2]int
	_, err = fmt.Sscan(strings.Join(strings.Fields(fields)[11:13], " "), &ticks[0], &ticks[1])
	require.NoError(t, err)
	return time.Duration(ticks[0]+ticks[1]) * 10 * time.Millisecond
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

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
	base, begun, early := takeFootprint(t), processorTime(t), 0.0
	t.Log("      runs, heap in MiB, goroutines, files, processor time of a run in ms")
	size := soaktest.Count(t, 250, 10_000) // enough to see a leak of one a run; the design's number
	every := max(1, size/10/batch)
	for number := 1; number*batch < size; number++ {
		c.play(number)
		if number%every == 0 {
			now := settles(t, base)
			heap, spent := heapMB(), processorTime(t)
			t.Logf("grown %d %.2f %d %d %.2f", c.played, heap, now.goroutines, now.files, milliseconds(spent-begun)/float64(every*batch))
			begun = spent
			require.True(t, now.within(base), "%+v after %d runs, at first %+v", now, c.played, base)
			base.files, base.children = now.files, now.children
			if number*batch*2 >= size && early == 0 {
				early = heap
			}
		}
	}
	soaktest.Tried(t, c.played, "runs in one process, and everything back to base")
	if size >= 8000 { // by then the newest records, which stay in memory for watchers, are as many as there will be
		require.Less(t, (heapMB()-early)*1024/float64(size/2), keptOfARun, "KiB that an ended run keeps")
	}
	stop()
	<-watched
	c.close()
	left := settles(t, outside)
	require.True(t, left.within(outside), "%+v is left of it, before it was %+v", left, outside)
}

// A session that is open for a day holds at its end what it held after its first hour, but for the folds of
// its runs. The clock is testing/synctest's; the database is a real one.
func TestADayOfOneSession(t *testing.T) {
	hours := soaktest.Count(t, 1, 24)
	synctest.Test(t, func(t *testing.T) {
		takeFootprint(t) // nobody counts elsewhere
		c := newCrowd(t)
		begun, spent := time.Now(), processorTime(t)
		var base footprint
		t.Log("      hours, heap in MiB, goroutines, files, processor time of a minute in ms")
		for minute := 1; minute <= hours*60; minute++ {
			c.alone("tell")
			<-time.After(time.Until(begun.Add(time.Duration(minute) * time.Minute)))
			if minute == 30 {
				base = takeFootprint(t)
			}
			if minute%60 == 0 {
				now, used := settles(t, base), processorTime(t)
				t.Logf("grown %d %.2f %d %d %.1f", minute/60, heapMB(), now.goroutines, now.files, milliseconds(used-spent)/60)
				spent = used
				require.True(t, now.within(base), "%+v after %d minutes, at first %+v", now, minute, base)
			}
		}
		c.close()
	})
	soaktest.Tried(t, hours, "virtual hours of one session, a subagent a minute")
}
