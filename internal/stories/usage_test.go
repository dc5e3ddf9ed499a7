package stories

import (
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestUnknownInputOnATerminalLeavesItAlone(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	for _, args := range [][]string{{"--modle"}, {"--model", "nobody/knows"}, {"--session", "0000-none"}, {"--continue"}} {
		x := harness.Start(t, s.Dir, s.Env, args...)
		require.Equal(t, 2, x.Wait())
		harness.RequireOneLine(t, x.Raw())
		require.True(t, strings.HasPrefix(x.Raw(), "pawl: "), x.Raw())
		require.NotContains(t, x.Raw(), "\x1b[?1049h", "the screen was opened for nothing")
	}
}

func TestADumbTerminalIsToldTheOtherWay(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	x := harness.Start(t, s.Dir, append(s.Env, "TERM=dumb"))
	require.Equal(t, 2, x.Wait())
	harness.RequireOneLine(t, x.Raw())
	require.Contains(t, x.Raw(), "TERM=dumb")
	require.NotContains(t, x.Raw(), "\x1b")
}

func TestSmallTerminalsStillWork(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height int }{{40, 10}, {20, 5}} {
		release := make(chan struct{})
		s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("look"):
				return modeltest.Say("seen").Until(release)
			case h.Answered("agent"):
				return modeltest.Say("all done")
			}
			return modeltest.Do(modeltest.Delegate("a look", "look"))
		})
		x := harness.StartSized(t, size.width, size.height, s.Dir, s.Env, s.Flags()...)
		x.Ready()
		x.Prompt("go")
		s.Server.Await(t, modeltest.FromChild("look"))
		close(release)
		x.See("all done")
		x.Resize(120, 40)
		x.See("all done", "completed")
		x.Rest()
		x.Resize(size.width, size.height)
		x.See("all done")
		x.Type(harness.KeyCtrlC)
		x.Type(harness.KeyCtrlC)
		require.Equal(t, 0, x.Wait())
		require.NotContains(t, x.Raw(), "goroutine ")
	}
}

func TestWrongKeyIsSaidAndTheSessionGoesOn(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(modeltest.Request) modeltest.Reply { return modeltest.Say("never") })
		s.With("ANTHROPIC_API_KEY=sk-wrong-0001", "OPENAI_API_KEY=sk-wrong-0001", "GEMINI_API_KEY=sk-wrong-0001")
		x := s.Open(t)
		x.Prompt("are you there?")
		x.See("are you there?", "API key")
		require.NotContains(t, x.Raw(), "sk-wrong-0001")
		x.Rest()
		x.Type(harness.KeyUp) // what was typed is kept
		x.WaitFor("the prompt again", func(screen string) bool { return strings.Count(screen, "are you there?") == 2 })
		x.Type(harness.KeyEnter)
		x.WaitFor("the second refusal", func(screen string) bool { return strings.Count(screen, "✗ API key") >= 2 })
		require.Equal(t, 0, x.Quit())
	})
}

func TestNoServerIsSaidAndTheSessionGoesOn(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	s.With("ANTHROPIC_BASE_URL=http://127.0.0.1:1")
	x := s.Open(t)
	x.Prompt("are you there?")
	x.See("asking again") // a retry, shown as waiting
	x.Type(harness.KeyEsc)
	x.See("stopped")
	require.Equal(t, 0, x.Quit())
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGINT: 130} {
		s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
			return modeltest.Say("I am still ").Until(make(chan struct{}))
		})
		x := s.Open(t)
		x.Prompt("go")
		x.See("I am still")
		x.Signal(signal)
		require.Equal(t, want, x.Wait(), signal)
		s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromParent))
	}
}
