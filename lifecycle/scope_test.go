package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"

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
