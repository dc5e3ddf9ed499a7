package lifecycle

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// routine is a step of a working run, over and over: what most records of a log are.
func routine(step int) []Event {
	call := CallID(fmt.Sprint("call ", step))
	return []Event{
		StepStarted{step},
		Text{"I look at the next file now, and at the tests that go with it."},
		UsageReported{Usage: Usage{InputTokens: 1000, OutputTokens: 100}},
		ToolStarted{Call: call, Tool: "read", Label: "refund.go"},
		ToolEnded{Call: call, Tool: "read", Status: ToolOK},
	}
}

// folder folds a routine step into a run that works; the next step each time.
func folder(t tester) (fold func(), records int) {
	run, step := Run{ID: "r1", State: StateRunning}, 0
	return func() {
		step++
		for _, event := range routine(step) {
			var err error
			run, err = run.Apply(Record{Seq: run.Seq + 1, Run: run.ID, Event: event, Time: time.Unix(int64(step), 0)})
			require.NoError(t, err)
		}
	}, len(routine(0))
}

// BenchmarkFold is a step of five records, folded into a run that has had many.
func BenchmarkFold(b *testing.B) {
	fold, records := folder(b)
	b.ReportAllocs()
	for b.Loop() {
		fold()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*records), "ns/record")
}

// hire gives the root a run that does what it is handed, one thing after the other, and
// ends with fire. The journal is in memory.
func (st *stage) hire() (do func(func(*Port)), fire func()) {
	orders, done := make(chan func(*Port)), make(chan struct{})
	st.on("hired", func(ctx context.Context, port *Port) Outcome {
		if _, err := port.Step(); err != nil {
			return Outcome{Err: err}
		}
		for order := range orders {
			order(port)
			done <- struct{}{}
		}
		return Outcome{Text: "done"}
	})
	st.say("hired")
	return func(order func(*Port)) {
		orders <- order
		<-done
	}, sync.OnceFunc(func() { close(orders) })
}

// BenchmarkWatch is one record from a worker's call to the last of its watchers.
func BenchmarkWatch(b *testing.B) {
	for _, watchers := range []int{1, 5} {
		b.Run(fmt.Sprint("watchers=", watchers), func(b *testing.B) {
			st := newStage(b)
			do, fire := st.hire()
			ctx, stop := context.WithCancel(b.Context())
			var watching sync.WaitGroup
			got := make(chan struct{}, watchers)
			for range watchers {
				watching.Go(func() {
					_ = st.s.Watch(ctx, root, 0, func(u Updates) {
						for range u.Records {
							select {
							case got <- struct{}{}:
							case <-ctx.Done():
							}
						}
					})
				})
			}
			seen, written := 0, len(st.journal.records)
			b.ReportAllocs()
			for b.Loop() {
				do(func(port *Port) { require.NoError(b, port.Record(nil, Thinking{"hm"})) })
				for written++; seen < written*watchers; seen++ {
					<-got
				}
			}
			stop()
			fire()
			st.close()
			watching.Wait()
		})
	}
}

// delegate is a whole delegation without a model: a subagent of this description, the
// parent's wait for it, and the answer of the call.
func delegate(t tester, port *Port, description string) {
	run, err := launch(port, description, false)
	require.NoError(t, err)
	run, err = port.Scope().Wait(context.Background(), run.ID)
	require.NoError(t, err)
	require.NoError(t, answer(port, run.Call, told(run, ByToolResult)...))
}

// BenchmarkSpawn is a subagent from the call to the answer in the parent's transcript,
// with no model and no disk.
func BenchmarkSpawn(b *testing.B) {
	st := newStage(b)
	do, fire := st.hire()
	b.ReportAllocs()
	for b.Loop() {
		do(func(port *Port) { delegate(b, port, "one word") })
	}
	fire()
	st.close()
}
