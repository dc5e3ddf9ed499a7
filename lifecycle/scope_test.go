package lifecycle

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAScopeReadsNoRunThatIsNotOnDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		scopes := make(chan *Scope, 1)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if _, err := launch(port, "a", true); err != nil {
				return Outcome{Err: err}
			}
			scopes <- port.Scope()
			return untilStopped(ctx, port)
		})
		st.say("go")
		scope := <-scopes
		synctest.Wait()
		first := st.child("a")
		require.Equal(t, StateCompleted, first.State)
		goOn := st.journal.hold()
		go func() { _, _ = scope.Send(first.Session, "again", "call-send") }()
		synctest.Wait() // the new run is on its way to the disk
		read, err := scope.Latest(first.Session)
		require.NoError(t, err)
		require.Equal(t, first.ID, read.ID, "an answer names a run that there is")
		goOn()
		synctest.Wait()
		read, err = scope.Latest(first.Session)
		require.NoError(t, err)
		require.NotEqual(t, first.ID, read.ID)
	})
}

// Of a run that has ended and was told nothing stays but its fold, however many there are; and it is read,
// waited for, stopped, changed and resumed as before.
func TestAnEndedRunKeepsNothingOfItsLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		do, fire := st.hire()
		for i := range 30 {
			do(func(port *Port) { delegate(t, port, fmt.Sprint("child ", i)) })
		}
		synctest.Wait()
		st.s.mu.Lock()
		require.Len(t, st.s.trees[root].runs, 1, "the root's own")
		st.s.mu.Unlock()
		do(func(port *Port) {
			scope := port.Scope()
			require.Len(t, scope.Runs(), 30)
			ended := scope.Runs()[7]
			for _, read := range []func() (Run, error){
				func() (Run, error) { return scope.Latest(ended.Session) },
				func() (Run, error) { return scope.Wait(t.Context(), ended.ID) },
				func() (Run, error) { return scope.Await(t.Context(), ended.ID, time.Hour) },
				func() (Run, error) { return scope.Stop(ended.Session, "too late") },
			} {
				run, err := read()
				require.NoError(t, err)
				require.Equal(t, ended, run)
			}
			st.journal.fails(1)
			found := FilesChanged{By: ChangedByCommand, Folder: "/f", Files: []FileChange{{Path: "a"}}}
			require.Error(t, st.s.RecordFound(root, ended.ID, found))
			require.NoError(t, st.s.RecordFound(root, ended.ID, found))
			changed, err := scope.Latest(ended.Session)
			require.NoError(t, err)
			require.Equal(t, 1, changed.Changed)
			again, err := scope.Send(ended.Session, "again", "call-send")
			require.NoError(t, err)
			require.NotEqual(t, ended.ID, again.ID)
			again, err = scope.Wait(t.Context(), again.ID)
			require.NoError(t, err)
			require.Equal(t, StateCompleted, again.State)
		})
		fire()
		synctest.Wait()
	})
}
