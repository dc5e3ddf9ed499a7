package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestCtrlSExportsParentSubagentsAndTrail(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("count the functions"):
				return modeltest.Say("There is one function: Add.")
			case h.Answered("agent"):
				return modeltest.Say("One function, says the subagent.")
			}
			return modeltest.Do(modeltest.Delegate("count functions", "count the functions of calc.go")).Saying("I ask somebody.")
		})
		x := s.Open(t)
		x.Prompt("delegate the counting")
		x.See("One function, says the subagent.")
		x.Rest()
		x.Type(harness.KeyCtrlS)
		x.See("exported to", "delegate-the-counting-", ".md")
		files, err := filepath.Glob(filepath.Join(s.Exports(), "delegate-the-counting-20*.md"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		text, err := os.ReadFile(files[0])
		require.NoError(t, err)
		for _, words := range []string{
			"delegate the counting", "I ask somebody.", "One function, says the subagent.", // the parent
			"count functions", "count the functions of calc.go", "There is one function: Add.", // the child
			"spawned", "started", "tool_started", "tool_ended", "ended", "completed", "consumed", // the trail
		} {
			require.Contains(t, string(text), words)
		}
		require.NotContains(t, string(text), modeltest.Key)
		x.Type("/copy", harness.KeyEnter)
		x.See("copied /")
		x.SeeClipped(files[0])
		require.Equal(t, 0, x.Quit())
	})
}

func TestContinueBringsTheConversationBack(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("count the functions"):
				return modeltest.Say("There is one function: Add.")
			case h.Asked("and what did it say?"):
				return modeltest.Say("It said: one function.")
			case h.Answered("agent"):
				return modeltest.Say("One function, says the subagent.")
			}
			return modeltest.Do(modeltest.Delegate("count functions", "count the functions of calc.go"))
		})
		x := s.Open(t)
		x.Prompt("delegate the counting")
		x.See("One function, says the subagent.")
		require.Equal(t, 0, x.Quit())

		x = s.Open(t, "--continue")
		x.See("delegate the counting", "count functions", "One function, says the subagent.")
		x.Prompt("and what did it say?")
		x.See("It said: one function.")
		h := s.Server.Await(t, modeltest.ParentAsked("and what did it say?"))
		require.Len(t, h.Messages, 5)
		require.Contains(t, h.Messages[0].Text, "delegate the counting")
		require.Equal(t, "agent", h.Messages[1].Calls[0].Name)
		require.Contains(t, h.Messages[2].Results[0].Text, "There is one function: Add.")
		require.Equal(t, "One function, says the subagent.", h.Messages[3].Text)
		require.Equal(t, 0, x.Quit())
	})
}

func TestQuittingAsksWhileABackgroundRunLives(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s, x, _, _ := twoAtWork(t, p)
		ask := func() {
			x.Rest()
			x.Type(harness.KeyCtrlC)
			x.See("again")
			x.Type(harness.KeyCtrlC)
			x.See("first look", "second look")
			x.WaitFor("the three ways out", func(screen string) bool {
				return harness.ContainsAll(strings.ToLower(screen), "stop", "wait", "cancel")
			})
		}
		ask()
		x.Type(harness.KeyEsc) // stay
		x.WaitFor("no dialog", func(screen string) bool { return !strings.Contains(strings.ToLower(screen), "cancel") })
		require.Len(t, s.Server.All(modeltest.FromParent), 2)
		ask()
		x.Type("x") // stop them and quit
		require.Equal(t, 0, x.Wait())
		for _, words := range []string{"look at one", "look at two"} {
			s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild(words)))
		}
	})
}

func TestQuittingCanWaitForTheBackgroundRuns(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s, x, one, two := twoAtWork(t, p)
		x.Rest()
		x.Type(harness.KeyCtrlC)
		x.See("again")
		x.Type(harness.KeyCtrlC)
		x.WaitFor("the three ways out", func(screen string) bool {
			return harness.ContainsAll(strings.ToLower(screen), "stop", "wait", "cancel")
		})
		x.Type("w")
		x.See("quits when")
		close(one)
		close(two)
		require.Equal(t, 0, x.Wait())
		for _, words := range []string{"look at one", "look at two"} {
			h := s.Server.Await(t, modeltest.FromChild(words))
			select {
			case <-h.Stream.Left:
				require.FailNow(t, "it was not waited for")
			case <-h.Stream.Ended:
			}
		}
	})
}

func TestSessionIsDrivenByOneProcessAtATime(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
	x := s.Open(t)
	x.Prompt("are you there?")
	x.See("Here I am.")
	out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--continue", "-p", "and here?")...)
	require.Equal(t, 2, code)
	require.Empty(t, out)
	harness.RequireOneLine(t, errs)
	require.Regexp(t, `^pawl: session [0-9a-f-]+ is already open and keeps the settings it was opened with: leave out --model\n$`, errs)
	require.Len(t, s.Server.All(modeltest.FromParent), 1)
	end := strings.Fields(errs)[2]
	out, errs, code = harness.Run(t, s.Dir, s.Env, "--continue", "-p", "and here?") // it is asked over its socket
	require.Equal(t, []any{"Here I am.\n", "", 0}, []any{out, errs, code})
	x.See("and here?")
	second := s.Open(t, "--session", end) // a screen attaches
	second.See("Here I am.", "already open and keeps the settings it was opened with")
	require.Equal(t, 0, second.Quit())
	for _, flags := range [][]string{{"--permission-mode", "plan"}, {"--model", s.Model}, {"--effort", "high"}, {"--trust"}} {
		refused := harness.Start(t, s.Dir, s.Env, append(flags, "--session", end, "never said")...)
		refused.AwaitEnd()
		require.Equal(t, 2, refused.Cmd.ProcessState.ExitCode())
		refused.See("leave out", flags[0])
	}
	third := harness.Start(t, s.Dir, s.Env, "-c", "and from a command line?")
	third.See("and from a command line?")
	x.See("and from a command line?")
	s.Server.Await(t, modeltest.ParentAsked("and from a command line?"))
	require.Empty(t, s.Server.All(modeltest.ParentAsked("never said")))
	third.InThisOrder("and from a command line?", "Here I am.")
	third.Rest()
	require.Equal(t, 0, third.Quit())
	fourth := harness.Start(t, s.Dir, s.Env, "-c", "/compact")
	fourth.See("this session was open already: type /compact here")
	require.Equal(t, 0, fourth.Quit())
	for name, row := range map[string]struct {
		args []string
		want string
	}{ // to look is allowed
		"sessions": {[]string{"sessions"}, "in use by process "},
		"show":     {[]string{"show", end}, "Here I am."},
		"export":   {[]string{"export", end, "-o", "-"}, "Here I am."},
	} {
		out, errs, code = harness.Run(t, s.Dir, s.Env, row.args...)
		require.Equal(t, 0, code, errs)
		require.Contains(t, out, row.want, name)
	}
	require.Equal(t, 0, x.Quit())
	s.AwaitNoHost(t)
	out, errs, code = harness.Run(t, s.Dir, s.Env, "sessions")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "are you there?")
	require.NotContains(t, out, "in use")
	out, errs, code = harness.Run(t, s.Dir, s.Env, s.Flags("--continue", "-p", "and now?")...)
	require.Equal(t, 0, code, errs)
	require.Equal(t, "Here I am.\n", out)
	require.Len(t, s.Server.AwaitNth(t, 3, modeltest.FromParent).Messages, 5)
}

func TestTheWayBackIsSaidAtEveryEndThatSomebodyCanRead(t *testing.T) {
	t.Parallel()
	for signal, said := range map[syscall.Signal]bool{syscall.SIGTERM: true, syscall.SIGINT: true, syscall.SIGHUP: false} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply {
				return modeltest.Say("I have just begun").Until(make(chan struct{}))
			})
			x := s.Open(t)
			x.Prompt("go on for ever")
			x.See("I have just begun")
			x.Signal(signal)
			require.Equal(t, 128+int(signal), x.Wait())
			list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
			require.Equal(t, 0, code, errs)
			require.Equal(t, said, strings.Contains(x.Raw(), "To go on: pawl --session "+strings.Fields(list)[0]))
		})
	}
	t.Run("a session that is not the newest", func(t *testing.T) {
		t.Parallel()
		s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Here I am.") })
		first, errs, code := s.Prompted(t, "-p", "one")
		require.Equal(t, 0, code, errs)
		_, errs, code = s.Prompted(t, "-p", "two")
		require.Equal(t, 0, code, errs)
		x := s.Open(t, "--session", first.Session)
		require.Equal(t, 0, x.Quit())
		require.Contains(t, x.Raw(), "To go on: pawl --session "+first.Session)
	})
	t.Run("a session in which nothing was said", func(t *testing.T) {
		t.Parallel()
		s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
		x := s.Open(t)
		require.Equal(t, 0, x.Quit())
		require.NotContains(t, x.Raw(), "To go on")
	})
}

func TestDraftsToSubagentsOutliveAQuit(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), twoLooks(closedChannel(), closedChannel()))
	r, errs, code := s.Prompted(t, "-p", "send two")
	require.Equal(t, 0, code, errs)
	x := s.Open(t, "--session", r.Session)
	x.See("send two")
	x.Type("to the parent", harness.KeyTab)
	x.See("1 of 2")
	x.Type("and the cellar?")
	x.See("and the cellar?")
	x.Signal(syscall.SIGTERM)
	require.Equal(t, 143, x.Wait())

	x = s.Open(t, "--session", r.Session)
	x.See("to the parent")
	x.Type(harness.KeyTab)
	x.See("1 of 2", "and the cellar?")
	pawl := x.Pawl()
	x.Crash()
	require.Eventually(t, func() bool { return syscall.Kill(pawl, 0) != nil }, modeltest.Patience, 10*time.Millisecond) // the session is its own until then

	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 0, code, errs)
	database, err := os.ReadFile(s.Database())
	require.NoError(t, err)
	require.NotContains(t, string(database), "and the cellar?")
}

func TestWithoutItsKeyTheScreenSaysSoAtOnceAndKeepsThePrompt(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	s.With("ANTHROPIC_API_KEY=")
	x := s.Open(t)
	x.See("ANTHROPIC_API_KEY is not set", "pawl doctor")
	x.Type("are you there?", harness.KeyEnter)
	x.See("not sent; your text is still here", "are you there?")
	x.Signal(syscall.SIGTERM)
	require.Equal(t, 143, x.Wait())
	x = s.With("ANTHROPIC_API_KEY=" + modeltest.Key).Open(t) // as a person would then
	x.See("are you there?")
	require.NotContains(t, x.Screen(), "is not set")
	require.Equal(t, 0, x.Quit())
	s.With("ANTHROPIC_API_KEY=")
	_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "are you there?")...)
	require.Equal(t, 1, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "pawl doctor")
}

func TestExportCommandGivesTheBytesOfTheKey(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, twoLooks(closedChannel(), closedChannel()))
		r, errs, code := s.Prompted(t, "-p", "send two")
		require.Equal(t, 0, code, errs)
		x := s.Open(t, "--session", r.Session)
		x.See("send two")
		x.Type(harness.KeyCtrlS)
		x.See("exported to")
		byKey, err := filepath.Glob(filepath.Join(s.Exports(), "send-two-*.md"))
		require.NoError(t, err)
		require.Len(t, byKey, 1)
		keyed, err := os.ReadFile(byKey[0])
		require.NoError(t, err)
		require.Equal(t, 0, x.Quit())
		out, errs, code := harness.Run(t, s.Dir, s.Env, "export", r.Session, "-o", "-")
		require.Equal(t, 0, code, errs)
		require.Equal(t, string(keyed), out)
		out, errs, code = harness.Run(t, s.Dir, s.Env, "export", r.Session, "--format", "json", "-o", "-")
		require.Equal(t, 0, code, errs)
		require.True(t, json.Valid([]byte(out)))
		for _, words := range []string{"send two", "look at one", "Two has a window.", "notification_delivered", "subagent_run"} {
			require.Contains(t, out, words)
		}
	})
}

func closedChannel() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}
