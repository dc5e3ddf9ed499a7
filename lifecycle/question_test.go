package lifecycle

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A question that is open when its run goes to the background stays one; what the run
// asks after that nobody is asked.
func TestADetachedRunKeepsItsQuestionAndIsAskedNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("go", waiting("dig", &got))
		st.on("dig", tries(Deed{"shell", "a"}, Deed{"shell", "b"}))
		st.say("go")
		synctest.Wait()
		session := st.child("dig").Session
		st.do(Detach{Session: session})
		synctest.Wait()
		asked := st.child("dig").Asked
		require.Len(t, asked, 1, "it is open still")
		st.do(Resolve{Question: asked[0].ID, Answer: Answer{Allow: true}})
		synctest.Wait()
		run := st.child("dig")
		require.Equal(t, "allowed: shell a by person", run.Result)
		require.Equal(t, DeciderNobody, run.Denials[0].By)
		require.Equal(t, "b", run.Denials[0].Subject)
	})
}

// Five of the background ask at once: each is answered once, whatever becomes of the
// others, and what is stopped asks nobody any more.
func TestQuestionsOfTheBackgroundAreEachAnsweredOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.AskInBackground = true })
		defer func() { st.sound() }()
		defer func() { st.close() }()
		st.on("go", launching("0", "1", "2", "3", "4"))
		for i := range 5 {
			st.on(fmt.Sprint(i), tries(Deed{"shell", fmt.Sprint(i)}))
		}
		st.say("go")
		synctest.Wait()
		var asked []Question
		for i := range 5 {
			run := st.child(fmt.Sprint(i))
			require.Len(t, run.Asked, 1)
			require.Equal(t, run.Description, run.Asked[0].Who, "it says whose it is")
			asked = append(asked, run.Asked[0])
		}
		answer := func(i int, yes bool) error {
			_, err := st.s.Do(t.Context(), Resolve{Question: asked[i].ID, Answer: Answer{Allow: yes}})
			synctest.Wait()
			return err
		}
		require.NoError(t, answer(3, true))
		require.NoError(t, answer(1, false))
		require.ErrorIs(t, answer(3, false), ErrUnknown, "the first answer is the one")
		st.do(Stop{Session: asked[2].Session, Cause: CauseKey})
		synctest.Wait()
		require.ErrorIs(t, answer(2, true), ErrUnknown, "who was stopped asks nobody")
		require.Equal(t, StateCanceledByUser, st.child("2").State)
		require.Empty(t, st.child("2").Asked)
		require.Equal(t, "allowed: shell 3 by person", st.child("3").Result)
		require.Equal(t, "allowed:", st.child("1").Result)
		require.Len(t, st.child("0").Asked, 1, "and the others wait")
		require.NoError(t, answer(0, true))

		st.crash()
		st.open(func(o *Options) { o.AskInBackground = true })
		require.Equal(t, StateInterrupted, st.child("4").State)
		require.Empty(t, st.child("4").Asked)
		require.ErrorIs(t, answer(4, true), ErrUnknown, "a dead process asks nobody either")
	})
}
