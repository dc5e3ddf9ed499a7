package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// away starts a remote subagent, which does what is given; its call waits for it.
func away(st *stage, do func(context.Context, *Port) Outcome) {
	st.on("go", func(ctx context.Context, port *Port) Outcome {
		run, err := port.Scope().Start(Spec{Call: "c", Prompt: "far", Description: "far", Isolation: IsolationRemote}, "")
		if err == nil {
			_, err = port.Scope().Wait(ctx, run.ID)
		}
		return Outcome{Err: err}
	})
	st.on("far", do)
	st.say("go")
	synctest.Wait()
}

func TestARemoteRunIsLeftWhenTheProcessEndsAndTakenUpByTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		left := make(chan error, 1)
		away(st, func(ctx context.Context, port *Port) Outcome {
			require.NoError(t, port.Place(Placed{Worker: "w", Machine: "oak", Attempt: 1}))
			_, err := port.At(1).Step()
			require.NoError(t, err)
			<-ctx.Done()
			left <- context.Cause(ctx)
			return Outcome{Err: context.Cause(ctx)}
		})
		require.NoError(t, st.s.Close(t.Context(), CauseProcessEnd))
		require.ErrorIs(t, <-left, ErrLeft)
		require.Equal(t, StateRunning, st.child("far").State)

		st.on("far", func(_ context.Context, port *Port) Outcome {
			require.Equal(t, "oak", port.Run().Machine())
			require.False(t, port.Run().Awaited(), "its call is over")
			_, err := port.At(1).Step()
			require.NoError(t, err)
			require.Equal(t, 1, port.Run().Step, "a request that was served is not served again")
			return Outcome{Text: "done"}
		})
		st.open()
		defer st.close()
		synctest.Wait()
		require.Equal(t, StateCompleted, st.child("far").State)
		require.True(t, st.child("far").Notification.Pending())
		st.sound()
	})
}

func TestAQuestionOfARemoteRunIsAskedOnce(t *testing.T) {
	for _, first := range []string{"it is asked again", "it is answered", "its answer was on its way"} {
		t.Run(first, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t)
				answers := make(chan Answer, 2)
				ask := func(ctx context.Context, port *Port) Outcome {
					answer, err := port.At(2).Ask(ctx, Question{Call: "t", Tool: "shell", Subject: "ls"})
					if err != nil {
						return Outcome{Err: err}
					}
					answers <- answer
					return untilStopped(ctx, port)
				}
				away(st, func(ctx context.Context, port *Port) Outcome {
					require.NoError(t, port.Place(Placed{Worker: "w", Machine: "oak", Attempt: 1}))
					_, err := port.At(1).Step()
					require.NoError(t, err)
					return ask(ctx, port)
				})
				answer := func() {
					st.do(Resolve{Question: st.child("far").Asked[0].ID, Answer: Answer{Allow: true, Scope: GrantOnce}})
					synctest.Wait()
				}
				if first == "its answer was on its way" {
					answer()
				}
				require.NoError(t, st.s.Close(t.Context(), CauseProcessEnd))
				goOn := make(chan struct{})
				st.on("far", func(ctx context.Context, port *Port) Outcome {
					<-goOn
					return ask(ctx, port)
				})
				st.open()
				defer st.close()
				if first == "it is answered" {
					answer()
				}
				close(goOn)
				synctest.Wait()
				if first == "it is asked again" {
					answer()
				}
				require.NotEmpty(t, answers)
				for range len(answers) {
					require.True(t, (<-answers).Allow)
				}
				require.Empty(t, st.child("far").Asked)
				asked := 0
				for _, rec := range st.journal.records {
					if _, is := rec.Event.(PermissionAsked); is {
						asked++
					}
				}
				require.Equal(t, 1, asked)
			})
		})
	}
}

func TestAQuestionThatIsLostWithItsWorkerHoldsTheParentBackNoLonger(t *testing.T) {
	for name, goes := range map[string]func(*Port) error{
		"its worker is lost": func(port *Port) error { return port.Record(nil, Warned{Kind: WarnWorkerLost, Message: "lost"}) },
		"another one begins": func(port *Port) error { return port.Place(Placed{Worker: "v", Machine: "elm", Attempt: 2}) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, func(o *Options) { o.AskInBackground = true })
				defer st.sound()
				defer st.close()
				ended, lost := make(chan struct{}), make(chan struct{})
				st.on("go", func(_ context.Context, port *Port) Outcome {
					_, err := port.Step()
					for _, spec := range []Spec{
						{Call: "c", Prompt: "far", Description: "far", Isolation: IsolationRemote, Background: true},
						{Call: "d", Prompt: "ends", Description: "ends", Background: true},
					} {
						if err == nil {
							_, err = port.Scope().Start(spec, "")
						}
					}
					return Outcome{Text: "launched", Err: err}
				})
				st.on("ends", released(ended))
				st.on("far", func(ctx context.Context, port *Port) Outcome {
					require.NoError(t, port.Place(Placed{Worker: "w", Machine: "oak", Attempt: 1}))
					asking, stop := context.WithCancel(ctx)
					defer stop()
					go func() { _, _ = port.Ask(asking, Question{Call: "t", Tool: "shell", Subject: "ls"}) }()
					<-lost
					require.NoError(t, goes(port))
					return untilStopped(ctx, port)
				})
				st.say("go")
				synctest.Wait()
				close(ended)
				synctest.Wait()
				require.True(t, st.child("ends").Notification.Pending(), "a question is open")
				close(lost)
				synctest.Wait()
				require.False(t, st.child("ends").Notification.Pending())
			})
		})
	}
}
