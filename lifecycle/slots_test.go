package lifecycle

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestTheSixthBackgroundRunWaitsAndTheTwentySixthIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var refused error
		st.on("go", func(_ context.Context, port *Port) Outcome {
			for i := range 26 {
				prompt := fmt.Sprintf("job %02d", i)
				st.on(prompt, untilStopped)
				if _, refused = launch(port, prompt, true); refused != nil {
					require.Equal(t, 25, i)
				}
			}
			return Outcome{Text: "ok"}
		})
		st.say("go")
		synctest.Wait()
		require.ErrorIs(t, refused, ErrNoSlot)
		require.ErrorContains(t, refused, `"job 00"`)
		require.ErrorContains(t, refused, "Do not retry")
		require.Equal(t, StateRunning, st.child("job 04").State)
		require.Equal(t, StateQueued, st.child("job 05").State)

		st.do(Stop{Session: st.child("job 07").Session, Cause: CauseKey})
		require.Equal(t, StateCanceledByUser, st.child("job 07").State, "one that waits is stopped at once")
		require.NotNil(t, st.child("job 07").Notification, "and owes word like any other")

		st.do(Stop{Session: st.child("job 00").Session, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateCanceledByUser, st.child("job 00").State)
		require.Equal(t, "half of it", st.child("job 00").Partial)
		require.Equal(t, StateRunning, st.child("job 05").State, "the next in line has its slot")
		require.Equal(t, StateQueued, st.child("job 06").State)
	})
}
