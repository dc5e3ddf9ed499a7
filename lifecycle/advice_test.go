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
		text := a.By + " says no: " + a.Reason
		if a.Allow {
			text = a.By + " says yes"
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
		"they say yes":           {Advice{Settled: true, Answer: Answer{Allow: true, By: "hook"}}, Question{Subject: "ls"}, "hook says yes", 0},
		"they say no":            {Advice{Settled: true, Answer: Answer{By: "hook", Reason: "not today"}}, Question{Subject: "ls"}, "hook says no: not today", 1},
		"they say nothing":       {Advice{}, Question{Subject: "ls"}, "nobody says no: a background subagent has no person to ask", 1},
		"they fail":              {Advice{Warnings: []string{"it failed"}}, Question{Subject: "ls"}, "nobody says no: a background subagent has no person to ask", 1},
		"a hook wanted a person": {Advice{Settled: true, Answer: Answer{Allow: true, By: "hook"}}, Question{Subject: "ls", Why: "sure?"}, "nobody says no: a background subagent has no person to ask", 1},
		"and another says no":    {Advice{Settled: true, Answer: Answer{By: "hook", Reason: "no"}}, Question{Subject: "ls", Why: "sure?"}, "hook says no: no", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, func(o *Options) {
					o.Advise = func(_ context.Context, _ Run, q Question) Advice {
						require.Equal(t, row.q.Subject, q.Subject)
						return row.advice
					}
				})
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

func TestHooksAreNotAskedWhereAPersonOrARuleHasAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var shelf ruleShelf
		st := newStage(t, shelf.options, func(o *Options) {
			o.Advise = func(context.Context, Run, Question) Advice { asked++; return Advice{} }
		})
		defer st.sound()
		defer st.close()
		shelf.kept["by rule"] = true
		st.on("go", asksFor("by rule", "first", "second"))
		st.say("go")
		synctest.Wait()
		require.Equal(t, 1, asked, "not about what the rule allows")
		st.do(Resolve{Question: st.runs()[0].Asked[0].ID, Answer: Answer{Allow: true, Scope: GrantRun}})
		synctest.Wait()
		require.Equal(t, 1, asked, "not about what the person allowed for the run")
		require.Equal(t, "by rule by rule. first by person. second by grant. ", st.runs()[0].Result)
	})
}

// A yes for a tool says nothing of the one call that a hook wants looked at; a yes for
// that very call does, or granting it later would lead back to the same question.
func TestAHooksQuestionIsAnsweredByNoWiderYes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shelf ruleShelf
		st := newStage(t, shelf.options)
		defer st.sound()
		defer st.close()
		shelf.kept["rm"] = true
		st.on("go", launching("a"))
		st.on("a", wants(Question{Subject: "rm", Why: "sure?"}))
		st.say("go")
		synctest.Wait()
		require.Len(t, st.child("a").Denials, 1, "the rule for it does not count")
		st.on("The user now allows what was denied before: shell rm. Try again.", wants(Question{Subject: "rm", Why: "sure?"}))
		st.do(Grant{Session: st.child("a").Session})
		synctest.Wait()
		require.Equal(t, "grant says yes", st.child("a").Result)
		st.on("on", wants(Question{Subject: "rm", Why: "it holds a password"}))
		st.do(Send{Session: st.child("a").Session, Text: "on"})
		synctest.Wait()
		require.Len(t, st.child("a").Asked, 1, "nobody has heard that, and who wrote looks on")
	})
	require.True(t, new(Supervisor).guarded(nil, Question{Tool: "shell", Subject: "rm", Why: "sure?"}))
}

func TestAStopWhileHooksThinkLeavesNoQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) {
			o.Advise = func(ctx context.Context, _ Run, _ Question) Advice { <-ctx.Done(); return Advice{} }
		})
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
