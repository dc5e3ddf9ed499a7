package lifecycle

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/internal/counttest"
)

// What a change costs: see counttest.
const (
	mostPerFold     = 2.25 // allocations to fold a record: 1.8
	mostPerRecord   = 18   // allocations of a record from a worker's call to a watcher: 14
	mostPerSpawn    = 140  // allocations of a whole delegation, without model and disk: 113
	childGoroutines = 1    // of a subagent at work: its worker
)

// ledger is a journal in memory that counts its transactions.
type ledger struct {
	*memory
	transactions, records int
}

func (l *ledger) Append(ctx context.Context, changes []Change) error {
	if err := l.memory.Append(ctx, changes); err != nil || len(changes) == 0 {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.transactions++
	for _, c := range changes {
		l.records += len(c.Records)
	}
	return nil
}

// spent says how many transactions and records came of an act, when all has settled.
func (l *ledger) spent(act func()) (transactions, records int) {
	count := func() (int, int) {
		synctest.Wait()
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.transactions, l.records
	}
	transactions, records = count()
	act()
	after, now := count()
	return after - transactions, now - records
}

func TestCostOfFoldingARecord(t *testing.T) {
	fold, records := folder(t)
	counttest.Allocations(t, "a record folded", mostPerFold, records, fold)
}

func TestCostOfARecordOnItsWayToAWatcher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		do, fire := st.hire()
		ctx, stop := context.WithCancel(t.Context())
		go func() { _ = st.s.Watch(ctx, root, 0, func(Updates) {}) }()
		synctest.Wait()
		counttest.Allocations(t, "a record told", mostPerRecord, 1, func() {
			do(func(port *Port) { require.NoError(t, port.Record(nil, Thinking{"hm"})) })
			synctest.Wait()
		})
		stop()
		fire()
		st.close()
	})
}

func TestCostOfADelegation(t *testing.T) {
	st := newStage(t)
	do, fire := st.hire()
	counttest.Allocations(t, "a delegation", mostPerSpawn, 1, func() {
		do(func(port *Port) { delegate(t, port, "one word") })
	})
	fire()
	st.close()
}

// A start, an end, a stop and a wake-up are each as few transactions as their promises
// allow: what belongs together is written together, what must be on disk before
// something else happens is written before it.
func TestCostOfADelegationInTransactions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{memory: newMemory()}
		st := newStage(t, func(o *Options) { o.Journal = l })
		do, fire := st.hire()
		synctest.Wait()
		release, hold := make(chan struct{}), make(chan struct{})
		st.on("child", func(ctx context.Context, port *Port) Outcome {
			<-hold
			return released(release)(ctx, port)
		})
		// Fewer, where a record was there before the transaction of the one before it began.
		costs := func(what string, transactions, records int, act func()) {
			t.Helper()
			wrote, holding := l.spent(act)
			counttest.AtMost(t, "transactions of "+what, float64(transactions), float64(wrote))
			counttest.AtMost(t, "records of "+what, float64(records), float64(holding))
		}
		start := func() (run Run) {
			do(func(port *Port) {
				var err error
				run, err = port.Scope().Start(Spec{Call: CallID("c" + NewRunID()), Prompt: "child", Type: "general", Background: true}, "")
				require.NoError(t, err)
			})
			return run
		}
		costs("a start: spawned, started", 1, 2, func() { start() })
		costs("its first step", 1, 1, func() { close(hold) })
		costs("many records of one call", 1, 100, func() {
			do(func(port *Port) {
				events := make([]Event, 100)
				for i := range events {
					events[i] = Thinking{"hm"}
				}
				require.NoError(t, port.Record(nil, events...))
			})
		})
		var second Run
		costs("another start, and its step", 2, 3, func() { second = start() })
		costs("a stop: asked for, then ended with what is owed", 2, 3, func() {
			st.do(Stop{Session: second.Session, Cause: CauseKey})
		})
		pass(gatherFor)
		costs("a parent's end that wakes it for what is owed; its step, with the delivery; its end", 3, 7, fire)
		costs("an end that wakes the parent; its step, with the delivery; its end", 3, 8, func() { close(release) })
		st.close()
	})
}

func TestCostOfASubagentInGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.on("go", launching("a", "b", "c", "d", "e"))
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			st.on(name, untilStopped)
		}
		before := bubbled()
		st.say("go")
		synctest.Wait()
		counttest.AtMost(t, "goroutines of five subagents", 5*childGoroutines, float64(bubbled()-before))
		st.close()
	})
}

// bubbled counts the goroutines of the one bubble that there is: others may be about to end.
func bubbled() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), ", synctest bubble ")
}
