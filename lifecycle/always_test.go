package lifecycle

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// asksFor is a run that asks for some subjects, one after the other, and says how many
// it was allowed.
func asksFor(subjects ...string) func(context.Context, *Port) Outcome {
	return func(ctx context.Context, port *Port) Outcome {
		text := ""
		for _, subject := range subjects {
			a, err := port.Ask(ctx, Question{Call: CallID(subject), Tool: "shell", Subject: subject, Rules: []string{subject}})
			if err != nil {
				return Outcome{Err: err}
			}
			if a.Allow {
				text += subject + " by " + string(a.By) + ". "
			}
		}
		return Outcome{Text: text}
	}
}

func TestAYesForAlwaysAnswersWhatWaitsAndWhatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("a", "b", "c"))
		st.on("a", asksFor("ls"))
		st.on("b", asksFor("ls", "rm"))
		st.on("c", func(ctx context.Context, port *Port) Outcome { return asksFor("ls", "ls")(ctx, port) })
		st.s.options.AskInBackground = true
		st.say("go")
		synctest.Wait()
		for _, name := range []string{"a", "b", "c"} {
			require.Len(t, st.child(name).Asked, 1)
		}
		st.do(Resolve{Question: st.child("b").Asked[0].ID, Answer: Answer{Allow: true, Scope: GrantAlways, By: "person"}})
		synctest.Wait()
		require.Equal(t, "ls by rule. ", st.child("a").Result)
		require.Equal(t, "ls by rule. ls by rule. ", st.child("c").Result)
		require.Equal(t, "rm", st.child("b").Asked[0].Subject, "another question stays one")
		st.do(Resolve{Question: st.child("b").Asked[0].ID, Answer: Answer{}})
		synctest.Wait()
		require.Equal(t, "ls by person. ", st.child("b").Result)

		var granted []PermissionGranted
		for _, rec := range st.journal.records {
			if e, ok := rec.Event.(PermissionGranted); ok && e.By == "person" {
				granted = append(granted, e)
			}
		}
		require.Len(t, granted, 1)
		require.Equal(t, GrantAlways, granted[0].Scope)
		require.Equal(t, []string{"ls"}, granted[0].Rules)
	})
}

func TestARuleAnswersForARunThatHasNobodyToAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Attended = false })
		defer st.sound()
		defer st.close()
		st.rules.kept = map[string]bool{"ls": true}
		st.on("go", asksFor("ls", "rm"))
		run := st.say("go")
		synctest.Wait()
		require.Equal(t, "ls by rule. ", st.run(run.ID).Result)
	})
}

func TestAYesForAlwaysThatCannotBeKeptLeavesTheQuestionOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", asksFor("ls"))
		st.on("none", func(ctx context.Context, port *Port) Outcome {
			_, err := port.Ask(ctx, Question{Call: "c", Tool: "shell", Subject: "sh"})
			return Outcome{Text: "ok", Err: err}
		})
		always := func(run Run) error {
			_, err := st.s.Do(t.Context(), Resolve{Question: run.Asked[0].ID, Answer: Answer{Allow: true, Scope: GrantAlways}})
			return err
		}
		st.rules.err = errors.New("disk full")
		run := st.say("go")
		synctest.Wait()
		require.ErrorContains(t, always(st.run(run.ID)), "disk full")
		require.Len(t, st.run(run.ID).Asked, 1)
		st.rules.err = nil
		require.NoError(t, always(st.run(run.ID)))
		synctest.Wait()

		run = st.say("none")
		synctest.Wait()
		require.ErrorContains(t, always(st.run(run.ID)), "once")
		st.do(Resolve{Question: st.run(run.ID).Asked[0].ID, Answer: Answer{Allow: true}})
		synctest.Wait()
	})
}
