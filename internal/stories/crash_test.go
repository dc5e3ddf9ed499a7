package stories

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// crash ends Pawl as a crash does: nothing of it gets to say a word.
func (x *terminal) crash() {
	x.t.Helper()
	require.NoError(x.t, syscall.Kill(-x.cmd.Process.Pid, syscall.SIGKILL))
	x.hasEnded()
	x.drain() // the guard is gone first; until Pawl is, the session is open
}

func TestCrashLosesNothingAndTheModelIsToldWhatWasCutOff(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		never := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig"), h.child("look"):
				return say("I have just begun").until(never)
			case h.asked("what now?"):
				return say("Both were cut off.")
			case h.answered("agent"):
				return do(delegate("a look", "look around"))
			}
			return do(launch("a dig", "dig to the bottom")).saying("I send two.")
		})
		x := s.open(t)
		x.prompt("send one and another")
		x.see("a dig", "a look")
		x.waitFor("both at work", func(screen string) bool { return strings.Count(screen, "I have just begun") >= 2 })
		x.crash()

		x = s.open(t, "--continue")
		x.see("send one and another", "I send two.", "a dig", "a look", "interrupted")
		require.Len(t, s.server.all(fromParent), 2, "nothing starts by itself after a crash")
		x.prompt("what now?")
		h := s.server.await(t, parentAsked("what now?"))
		require.Len(t, h.notices(), 1)
		require.True(t, containsAll(h.notices()[0], "a dig", "<status>interrupted</status>"), h.notices()[0])
		var lost []string
		for _, m := range h.messages {
			for _, r := range m.results {
				lost = append(lost, r.text)
			}
		}
		require.Len(t, lost, 2)
		require.Contains(t, lost[1], `"status":"interrupted"`)
		x.see("Both were cut off.")
		require.Equal(t, 0, x.quit())
		require.Len(t, s.server.all(fromChild("dig")), 1)
		require.Len(t, s.server.all(fromChild("look")), 1)
	})
}

func TestCardContinuesWhatWasCutOff(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		never := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("was interrupted"):
				return say("Now it is dug.")
			case h.child("dig"):
				return say("I have just begun").until(never)
			case len(h.notices()) > 0:
				return say("It is dug after all.")
			case h.answered("agent"):
				return say("It is on its way.")
			}
			return do(launch("a dig", "dig to the bottom"))
		})
		x := s.open(t)
		x.prompt("send one")
		x.see("It is on its way.", "I have just begun")
		x.rest()
		x.crash()

		x = s.open(t, "--continue")
		x.see("a dig", "interrupted")
		x.type_(keyDown)
		x.see("r continue")
		x.type_("r")
		x.see("Now it is dug.")
		require.Len(t, s.server.all(fromChild("dig")), 2)
	})
}

func TestSignalsEndAPromptWithTheirOwnCodes(t *testing.T) {
	t.Parallel()
	ends := map[int]string{143: "interrupted", 129: "interrupted", 130: "canceled_by_user"}
	for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGINT: 130} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), func(h heard) reply {
				if h.child("dig") {
					return say("I have just begun").until(make(chan struct{}))
				}
				return do(delegate("a dig", "dig to the bottom"))
			})
			cmd := s.command(t, "-p", "send one")
			require.NoError(t, cmd.Start())
			child := s.server.await(t, fromChild("dig"))
			require.NoError(t, cmd.Process.Signal(signal))
			waitEnd(t, cmd)
			require.Equal(t, want, cmd.ProcessState.ExitCode())
			s.server.awaitLeft(t, child)

			list, errs, code := run(t, s.dir, s.env, "sessions")
			require.Equal(t, 0, code, errs)
			story, errs, code := run(t, s.dir, s.env, "export", strings.Fields(list)[0], "--format", "json", "-o", "-")
			require.Equal(t, 0, code, errs)
			for _, state := range []string{"interrupted", "canceled_by_user"} {
				require.Equal(t, state == ends[want], strings.Contains(story, `"`+state+`"`), "%s in %s", state, story)
			}
		})
	}
}

func TestPrintCanStopItsSubagentsWithTheParent(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		script := func(h heard) reply {
			switch {
			case h.child("dig"):
				return say("I have just begun").until(make(chan struct{}))
			case len(h.notices()) > 0:
				return say("It was stopped.")
			case h.answered("agent"):
				return say("It is on its way.")
			}
			return do(launch("a dig", "dig to the bottom"))
		}
		for _, flags := range [][]string{{"--agents", "stop"}, {"--drain-timeout", "1s"}} {
			s := set(t, p, script)
			r, errs, code := s.prompted(t, append(flags, "-p", "send one")...)
			require.Equal(t, 3, code, errs)
			require.Equal(t, "canceled_by_user", r.Subagents[0].Status)
			require.Equal(t, "a dig", r.Subagents[0].Description)
			if asked := s.server.all(fromChild("dig")); len(asked) > 0 { // else it was stopped before it asked
				s.server.awaitLeft(t, asked[0])
			}
		}
	})
}
