package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestAnotherModelIsThatOfTheRunsToCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if err := st.s.SetModel(root, "test/other"); err != nil {
				return Outcome{Err: err}
			}
			return launching("before")(t.Context(), port)
		})
		st.on("again", launching("after"))
		first := st.say("go")
		synctest.Wait()
		second := st.say("again")
		synctest.Wait()
		require.Equal(t, "test/m", st.run(first.ID).Model, "it was under way")
		require.Equal(t, "test/m", st.child("before").Model, "and so is what it starts")
		require.Equal(t, "test/other", st.run(second.ID).Model)
		require.Equal(t, "test/other", st.child("after").Model)
		require.ErrorIs(t, st.s.SetModel("nobody", "x"), ErrUnknown)
	})
}
