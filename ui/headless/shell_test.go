package headless

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// A server would never end: once it alone is left it is stopped, that is said, and
// the answer is the parent's.
func TestAShellThatAloneIsLeftIsStoppedAndNoFailure(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage()
			var out, errs bytes.Buffer
			options := s.options(&out)
			options.JSON, options.Errors = asJSON, &errs
			code := make(chan int)
			go func() {
				got, err := Run(t.Context(), options)
				require.NoError(t, err)
				code <- got
			}()
			s.happens("root", "p1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{})
			background := lifecycle.Spec{Root: "root", Parent: "root", ParentRun: "p1", Background: true}
			s.happens("child", "c1", lifecycle.Spawned{Spec: background}, lifecycle.Started{})
			background.Kind, background.Command, background.Description = lifecycle.KindShell, "npm run dev", "the server"
			s.happens("shell", "s1", lifecycle.Spawned{Spec: background}, lifecycle.Started{})
			s.happens("root", "p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "it listens"})
			synctest.Wait()
			require.Len(t, s.done, 1, "a subagent still works")
			s.happens("child", "c1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
			synctest.Wait()
			require.Equal(t, lifecycle.StopAll{Root: "root", Cause: lifecycle.CauseRunEnd}, s.done[1])
			killed := 143
			s.happens("shell", "s1", lifecycle.Ended{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseRunEnd, ExitCode: &killed, Result: "listening"})
			require.Equal(t, ExitDone, <-code)
			if !asJSON {
				require.Equal(t, "it listens\n", out.String())
				require.Equal(t, "pawl: shell \"the server\" was stopped when the run that started it ended\n", errs.String())
				return
			}
			var told answer
			require.NoError(t, json.Unmarshal(out.Bytes(), &told))
			require.Len(t, told.Subagents, 1)
			require.Equal(t, []shell{{
				Shell: "shell", Description: "the server", Command: "npm run dev", Status: lifecycle.StateCanceledByAgent,
				Cause: lifecycle.CauseRunEnd, ExitCode: &killed, Output: "listening",
			}}, told.Shells)
		})
	}
}

// Somebody has stopped it by hand, so its end is gathered before the parent is woken.
func TestAParentIsToldOfAnEndBeforeTheShellThatIsLeftIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage()
		var out bytes.Buffer
		code := make(chan int)
		go func() {
			got, err := Run(t.Context(), s.options(&out))
			require.NoError(t, err)
			code <- got
		}()
		s.happens("root", "p1", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root"}}, lifecycle.Started{})
		background := lifecycle.Spec{Root: "root", Parent: "root", ParentRun: "p1", Background: true}
		s.happens("child", "c1", lifecycle.Spawned{Spec: background}, lifecycle.Started{})
		background.Kind, background.Command = lifecycle.KindShell, "npm run dev"
		s.happens("shell", "s1", lifecycle.Spawned{Spec: background}, lifecycle.Started{})
		s.happens("root", "p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "it listens"})
		synctest.Wait()
		s.waking = true
		s.happens("child", "c1", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
		synctest.Wait()
		require.Len(t, s.done, 1, "the parent is about to be told")
		s.waking = false
		s.happens("root", "p2", lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Trigger: lifecycle.TriggerNotification}}, lifecycle.Started{})
		s.happens("root", "p2", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "it was stopped"})
		synctest.Wait()
		require.Equal(t, lifecycle.StopAll{Root: "root", Cause: lifecycle.CauseRunEnd}, s.done[1])
		s.happens("shell", "s1", lifecycle.Ended{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseRunEnd})
		require.Equal(t, ExitSubagent, <-code)
		require.Equal(t, "it was stopped\n", out.String())
	})
}
