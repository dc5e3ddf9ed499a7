package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// wants is a run that puts one question and says who answered it, and how.
func wants(q Question) func(context.Context, *Port) Outcome {
	return func(ctx context.Context, port *Port) Outcome {
		q.Call, q.Tool = "c", "shell"
		a, err := port.Ask(ctx, q)
		text := string(a.By) + " says no: " + a.Reason
		if a.Allow {
			text = string(a.By) + " says yes"
		}
		return Outcome{Text: text, Err: err}
	}
}

// A background run has nobody to ask: hooks come before that is a no.
func TestHooksAnswerBeforeAQuestionIsDeniedForWantOfAPerson(t *testing.T) {
	for name, row := range map[string]struct {
		advice Advice
		q      Question
		want   string
		denied int
	}{
		"they say yes":     {Advice{Settled: true, Answer: Answer{Allow: true, By: "hook"}}, Question{Subject: "ls"}, "hook says yes", 0},
		"they say no":      {Advice{Settled: true, Answer: Answer{By: "hook", Reason: "not today"}}, Question{Subject: "ls"}, "hook says no: not today", 1},
		"they say nothing": {Advice{}, Question{Subject: "ls"}, "nobody says no: a background subagent has no person to ask", 1},
		"they fail":        {Advice{Warnings: []string{"it failed"}}, Question{Subject: "ls"}, "nobody says no: a background subagent has no person to ask", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t)
				st.rules.advice = func(_ context.Context, q Question) Advice {
					require.Equal(t, row.q.Subject, q.Subject)
					return row.advice
				}
				defer st.sound()
				defer st.close()
				st.on("go", launching("a"))
				st.on("a", wants(row.q))
				st.say("go")
				synctest.Wait()
				run := st.child("a")
				require.Equal(t, row.want, run.Result)
				require.Len(t, run.Denials, row.denied)
				require.Len(t, run.Warnings, len(row.advice.Warnings))
				for _, w := range run.Warnings {
					require.Equal(t, Warned{Kind: WarnHook, Message: "it failed"}, w)
				}
			})
		})
	}
}

func TestAStopWhileHooksThinkLeavesNoQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.rules.advice = func(ctx context.Context, _ Question) Advice { <-ctx.Done(); return Advice{} }
		defer st.sound()
		defer st.close()
		st.on("go", wants(Question{Subject: "ls"}))
		run := st.say("go")
		synctest.Wait()
		st.do(Stop{Session: run.Session, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateCanceledByUser, st.run(run.ID).State)
		for _, rec := range st.journal.records {
			require.NotEqual(t, "permission_asked", Name(rec.Event))
		}
	})
}
