package stories

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestUnknownInputGetsOneLineThatNamesTheNearest(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"flag":                  {[]string{"--modle", "x"}, []string{"--modle", "--model"}},
		"command":               {[]string{"sesions"}, []string{"sesions", "sessions"}},
		"prompt without -p":     {[]string{"what is this"}, []string{"terminal", "-p"}},
		"another's command":     {[]string{"exec", "go"}, []string{"exec", "-p"}},
		"provider":              {[]string{"--model", "antropic/claude", "-p", "go"}, []string{"antropic/claude", "anthropic"}},
		"mode":                  {[]string{"--permission-mode", "bypas", "-p", "go"}, []string{"bypas", "bypass"}},
		"format":                {[]string{"-p", "go", "--output-format", "jsn"}, []string{"jsn", "json"}},
		"session":               {[]string{"--session", "0000-none", "-p", "go"}, []string{"0000-none"}},
		"session to show":       {[]string{"show", "0000-none"}, []string{"0000-none"}},
		"export":                {[]string{"export", "0000-none"}, []string{"0000-none"}},
		"nothing to go on with": {[]string{"--continue", "-p", "go"}, []string{"no session"}},
		"no prompt":             {[]string{"-p"}, []string{"-p"}},
		"no terminal":           {[]string{}, []string{"terminal"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, errs, code := harness.Run(t, s.Dir, s.Env, c.args...)
			require.Equal(t, 2, code, errs)
			require.Empty(t, out)
			harness.RequireOneLine(t, errs)
			for _, want := range c.want {
				require.Contains(t, errs, want)
			}
		})
	}
	require.Empty(t, s.Server.All(func(modeltest.Request) bool { return true }))
}

func TestUnknownSettingGetsOneLine(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	_, errs, code := harness.Run(t, s.Dir, append(s.Env, "PAWL_SUBAGENTS_MAX_BACKGROUNDS=3"), "-p", "go")
	require.Equal(t, 2, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "PAWL_SUBAGENTS_MAX_BACKGROUND")
}

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

func TestAFolderThatIsGoneIsSaid(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	pawl, err := harness.Binary()
	require.NoError(t, err)
	for i, args := range []string{"-p go", "--continue -p go"} {
		folder := filepath.Join(t.TempDir(), fmt.Sprint("gone", i))
		require.NoError(t, os.Mkdir(folder, 0o700))
		out, errs, code := harness.RunBy(t, "/bin/sh", "", folder, s.Env, "-c", `rmdir "$PWD"; exec `+pawl+" "+args)
		require.Equal(t, 1, code)
		require.Empty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, "the current folder is gone")
	}
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
