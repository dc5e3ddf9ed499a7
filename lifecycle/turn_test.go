package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// births counts the transactions that bring subagents into being.
type births struct {
	*memory
	of atomic.Int32
}

func (b *births) Append(ctx context.Context, changes []Change) error {
	if slices.ContainsFunc(changes, func(c Change) bool {
		return slices.ContainsFunc(c.Records, func(r Record) bool {
			spawned, is := r.Event.(Spawned)
			return is && spawned.Parent != ""
		})
	}) {
		b.of.Add(1)
	}
	return b.memory.Append(ctx, changes)
}

// inTurn starts five subagents, each as soon as the one before has its place.
func inTurn(scope *Scope, placed *atomic.Int32, all *sync.WaitGroup) []error {
	errs := make([]error, 5)
	turn := make(chan struct{})
	close(turn)
	for i := range errs {
		ready, next := turn, make(chan struct{})
		turn = next
		all.Go(func() {
			<-ready
			name := fmt.Sprintf("child %d", i)
			_, errs[i] = scope.StartInTurn(Spec{Call: CallID(name), Type: "general", Description: name, Prompt: name}, "", func() {
				placed.Add(1)
				close(next)
			})
		})
	}
	return errs
}

// Five agent calls of one answer cost two commits, not five: the first that is free,
// and one for all that came while it ran.
func TestRunsThatAreStartedInTurnShareTransactions(t *testing.T) {
	for _, full := range []bool{false, true} {
		t.Run(fmt.Sprintf("disk full %t", full), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var b *births
				st := newStage(t, func(o *Options) {
					b = &births{memory: o.Journal.(*memory)}
					o.Journal = b
				})
				defer st.sound()
				defer st.close()
				scopes := make(chan *Scope, 1)
				st.on("go", func(ctx context.Context, port *Port) Outcome {
					if _, err := port.Step(); err != nil {
						return Outcome{Err: err}
					}
					scopes <- port.Scope()
					<-ctx.Done()
					return Outcome{Err: context.Cause(ctx)}
				})
				st.say("go")
				scope := <-scopes
				synctest.Wait()
				goOn := st.journal.hold()
				var placed atomic.Int32
				var all sync.WaitGroup
				errs := inTurn(scope, &placed, &all)
				synctest.Wait()
				require.EqualValues(t, 5, placed.Load(), "each has its place")
				require.Len(t, st.runs(), 1, "and nobody sees one that is not on disk")
				if full {
					st.journal.fails(1)
				}
				goOn()
				all.Wait()
				synctest.Wait()
				if full {
					for _, err := range errs {
						require.ErrorContains(t, err, errFull.Error())
					}
					require.Len(t, st.runs(), 1, "what stood behind one that was not saved went with it")
					return
				}
				require.Equal(t, make([]error, 5), errs)
				require.LessOrEqual(t, b.of.Load(), int32(2))
				for i, run := range st.runs()[1:] {
					require.Equal(t, fmt.Sprintf("child %d", i), run.Description, "in the order of their turns")
				}
			})
		})
	}
}

func TestNobodysTurnComesWhereNothingIsStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		scopes := make(chan *Scope, 1)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			scopes <- port.Scope()
			return untilStopped(ctx, port)
		})
		run := st.say("go")
		scope := <-scopes
		st.do(Stop{Session: run.Session, Cause: CauseKey})
		_, err := scope.StartInTurn(Spec{Prompt: "late"}, "", func() { require.Fail(t, "it has no place") })
		require.Error(t, err)
	})
}
