package stories

import (
	"bytes"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
	"pawl/internal/cli"
)

func TestUnknownInputGetsOneLineThatNamesTheNearest(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
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
			out, errs, code := run(t, s.dir, s.env, c.args...)
			require.Equal(t, 2, code, errs)
			require.Empty(t, out)
			requireOneLine(t, errs)
			for _, want := range c.want {
				require.Contains(t, errs, want)
			}
		})
	}
	require.Empty(t, s.server.all(func(heard) bool { return true }))
}

func TestUnknownSettingGetsOneLine(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	_, errs, code := run(t, s.dir, append(s.env, "PAWL_SUBAGENTS_MAX_BACKGROUNDS=3"), "-p", "go")
	require.Equal(t, 2, code)
	requireOneLine(t, errs)
	require.Contains(t, errs, "PAWL_SUBAGENTS_MAX_BACKGROUND")
}

func TestUnknownInputOnATerminalLeavesItAlone(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	for _, args := range [][]string{{"--modle"}, {"--model", "nobody/knows"}, {"--session", "0000-none"}, {"--continue"}} {
		x := start(t, s.dir, s.env, args...)
		require.Equal(t, 2, x.wait())
		requireOneLine(t, x.raw())
		require.True(t, strings.HasPrefix(x.raw(), "pawl: "), x.raw())
		require.NotContains(t, x.raw(), "\x1b[?1049h", "the screen was opened for nothing")
	}
}

func TestADumbTerminalIsToldTheOtherWay(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	x := start(t, s.dir, append(s.env, "TERM=dumb"))
	require.Equal(t, 2, x.wait())
	requireOneLine(t, x.raw())
	require.Contains(t, x.raw(), "TERM=dumb")
	require.NotContains(t, x.raw(), "\x1b")
}

func TestAFolderThatIsGoneIsSaid(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-p", "go"}, {"--continue", "-p", "go"}} {
		var out, errs bytes.Buffer
		code := cli.Execute(t.Context(), args, base.World{In: strings.NewReader(""), Out: &out, Err: &errs, Folder: "."})
		require.Equal(t, 1, code)
		require.Empty(t, out.String())
		requireOneLine(t, errs.String())
		require.Contains(t, errs.String(), "the current folder is gone")
	}
}

func TestSmallTerminalsStillWork(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height int }{{40, 10}, {20, 5}} {
		release := make(chan struct{})
		s := set(t, anthropicProtocol(), func(h heard) reply {
			switch {
			case h.child("look"):
				return say("seen").until(release)
			case h.answered("agent"):
				return say("all done")
			}
			return do(delegate("a look", "look"))
		})
		x := startSized(t, size.width, size.height, s.dir, s.env, s.flags()...)
		x.ready()
		x.prompt("go")
		s.server.await(t, fromChild("look"))
		close(release)
		x.see("all done")
		x.resize(120, 40)
		x.see("all done", "completed")
		x.rest()
		x.resize(size.width, size.height)
		x.see("all done")
		x.type_(keyCtrlC)
		x.type_(keyCtrlC)
		require.Equal(t, 0, x.wait())
		require.NotContains(t, x.raw(), "goroutine ")
	}
}

func TestWrongKeyIsSaidAndTheSessionGoesOn(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(heard) reply { return say("never") })
		s.with("ANTHROPIC_API_KEY=sk-wrong-0001", "OPENAI_API_KEY=sk-wrong-0001", "GEMINI_API_KEY=sk-wrong-0001")
		x := s.open(t)
		x.prompt("are you there?")
		x.see("are you there?", "API key")
		require.NotContains(t, x.raw(), "sk-wrong-0001")
		x.rest()
		x.type_(keyUp) // what was typed is kept
		x.waitFor("the prompt again", func(screen string) bool { return strings.Count(screen, "are you there?") == 2 })
		x.type_(keyEnter)
		x.waitFor("the second refusal", func(screen string) bool { return strings.Count(screen, "✗ API key") >= 2 })
		require.Equal(t, 0, x.quit())
	})
}

func TestNoServerIsSaidAndTheSessionGoesOn(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	s.with("ANTHROPIC_BASE_URL=http://127.0.0.1:1")
	x := s.open(t)
	x.prompt("are you there?")
	x.see("asking again") // a retry, shown as waiting
	x.type_(keyEsc)
	x.see("stopped")
	require.Equal(t, 0, x.quit())
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	t.Parallel()
	for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGINT: 130} {
		s := set(t, anthropicProtocol(), func(heard) reply { return say("I am still ").until(make(chan struct{})) })
		x := s.open(t)
		x.prompt("go")
		x.see("I am still")
		x.signal(signal)
		require.Equal(t, want, x.wait(), signal)
		s.server.awaitLeft(t, s.server.await(t, fromParent))
	}
}
