package stories

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestCrashLosesNothingAndTheModelIsToldWhatWasCutOff(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		never := make(chan struct{})
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig"), h.Child("look"):
				return modeltest.Say("I have just begun").Until(never)
			case h.Asked("what now?"):
				return modeltest.Say("Both were cut off.")
			case h.Answered("agent"):
				return modeltest.Do(modeltest.Delegate("a look", "look around"))
			}
			return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom")).Saying("I send two.")
		})
		x := s.Open(t)
		x.Prompt("send one and another")
		x.See("a dig", "a look")
		x.WaitFor("both at work", func(screen string) bool { return strings.Count(screen, "I have just begun") >= 2 })
		x.Crash()

		x = s.Open(t, "--continue")
		x.See("send one and another", "I send two.", "a dig", "a look", "interrupted")
		require.Len(t, s.Server.All(modeltest.FromParent), 2, "nothing starts by itself after a crash")
		x.Prompt("what now?")
		h := s.Server.Await(t, modeltest.ParentAsked("what now?"))
		require.Len(t, h.Notices(), 1)
		require.True(t, harness.ContainsAll(h.Notices()[0], "a dig", "<status>interrupted</status>"), h.Notices()[0])
		var lost []string
		for _, m := range h.Messages {
			for _, r := range m.Results {
				lost = append(lost, r.Text)
			}
		}
		require.Len(t, lost, 2)
		require.Contains(t, lost[1], `"status":"interrupted"`)
		x.See("Both were cut off.")
		require.Equal(t, 0, x.Quit())
		require.Len(t, s.Server.All(modeltest.FromChild("dig")), 1)
		require.Len(t, s.Server.All(modeltest.FromChild("look")), 1)
	})
}

func TestCardContinuesWhatWasCutOff(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		never := make(chan struct{})
		s := harness.NewStage(t, p, oneDig(func(h modeltest.Request) modeltest.Reply {
			if h.Asked("was interrupted") {
				return modeltest.Say("Now it is dug.")
			}
			return digging("I have just begun", never)(h)
		}, "It is dug after all."))
		x := s.Open(t)
		x.Prompt("send one")
		x.See("It is on its way.", "I have just begun")
		x.Rest()
		x.Crash()

		x = s.Open(t, "--continue")
		x.See("a dig", "interrupted")
		x.Type(harness.KeyDown)
		x.See("r continue")
		x.Type("r")
		x.See("Now it is dug.")
		require.Len(t, s.Server.All(modeltest.FromChild("dig")), 2)
	})
}

func TestSignalsEndAPromptWithTheirOwnCodes(t *testing.T) {
	t.Parallel()
	ends := map[int]string{143: "interrupted", 129: "interrupted", 130: "canceled_by_user"}
	for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGINT: 130} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				if h.Child("dig") {
					return modeltest.Say("I have just begun").Until(make(chan struct{}))
				}
				return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
			})
			cmd := s.Command(t, "-p", "send one")
			require.NoError(t, cmd.Start())
			child := s.Server.Await(t, modeltest.FromChild("dig"))
			require.NoError(t, cmd.Process.Signal(signal))
			harness.WaitEnd(t, cmd)
			require.Equal(t, want, cmd.ProcessState.ExitCode())
			s.Server.AwaitLeft(t, child)

			list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
			require.Equal(t, 0, code, errs)
			story, errs, code := harness.Run(t, s.Dir, s.Env, "export", strings.Fields(list)[0], "--format", "json", "-o", "-")
			require.Equal(t, 0, code, errs)
			for _, state := range []string{"interrupted", "canceled_by_user"} {
				require.Equal(t, state == ends[want], strings.Contains(story, `"`+state+`"`), "%s in %s", state, story)
			}
		})
	}
}

func TestPrintCanStopItsSubagentsWithTheParent(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		script := oneDig(digging("I have just begun", make(chan struct{})), "It was stopped.")
		for _, flags := range [][]string{{"--agents", "stop"}, {"--drain-timeout", "1s"}} {
			s := harness.NewStage(t, p, script)
			r, errs, code := s.Prompted(t, append(flags, "-p", "send one")...)
			require.Equal(t, 3, code, errs)
			require.Equal(t, "canceled_by_user", r.Subagents[0].Status)
			require.Equal(t, "a dig", r.Subagents[0].Description)
			if asked := s.Server.All(modeltest.FromChild("dig")); len(asked) > 0 { // else it was stopped before it asked
				s.Server.AwaitLeft(t, asked[0])
			}
		}
	})
}
