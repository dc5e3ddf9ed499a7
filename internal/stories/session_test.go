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
)

func containsAll(text string, words ...string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func TestCtrlSExportsParentSubagentsAndTrail(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("count the functions"):
				return say("There is one function: Add.")
			case h.answered("agent"):
				return say("One function, says the subagent.")
			}
			return do(delegate("count functions", "count the functions of calc.go")).saying("I ask somebody.")
		})
		x := s.open(t)
		x.prompt("delegate the counting")
		x.see("One function, says the subagent.")
		x.rest()
		x.type_(keyCtrlS)
		x.see("exported to", "delegate-the-counting-", ".md")
		files, err := filepath.Glob(filepath.Join(s.exports(), "delegate-the-counting-20*.md"))
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
		require.NotContains(t, string(text), rightKey)
		x.type_("/copy", keyEnter)
		x.see("copied /")
		x.seeClipped(files[0])
		require.Equal(t, 0, x.quit())
	})
}

func TestContinueBringsTheConversationBack(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("count the functions"):
				return say("There is one function: Add.")
			case h.asked("and what did it say?"):
				return say("It said: one function.")
			case h.answered("agent"):
				return say("One function, says the subagent.")
			}
			return do(delegate("count functions", "count the functions of calc.go"))
		})
		x := s.open(t)
		x.prompt("delegate the counting")
		x.see("One function, says the subagent.")
		require.Equal(t, 0, x.quit())

		x = s.open(t, "--continue")
		x.see("delegate the counting", "count functions", "One function, says the subagent.")
		x.prompt("and what did it say?")
		x.see("It said: one function.")
		h := s.server.await(t, parentAsked("and what did it say?"))
		require.Len(t, h.messages, 5)
		require.Contains(t, h.messages[0].text, "delegate the counting")
		require.Equal(t, "agent", h.messages[1].calls[0].name)
		require.Contains(t, h.messages[2].results[0].text, "There is one function: Add.")
		require.Equal(t, "One function, says the subagent.", h.messages[3].text)
		require.Equal(t, 0, x.quit())
	})
}

func TestQuittingAsksWhileABackgroundRunLives(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two))
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		ask := func() {
			x.rest()
			x.type_(keyCtrlC)
			x.see("again")
			x.type_(keyCtrlC)
			x.see("first look", "second look")
			x.waitFor("the three ways out", func(screen string) bool {
				return containsAll(strings.ToLower(screen), "stop", "wait", "cancel")
			})
		}
		ask()
		x.type_(keyEsc) // stay
		x.waitFor("no dialog", func(screen string) bool { return !strings.Contains(strings.ToLower(screen), "cancel") })
		require.Len(t, s.server.all(fromParent), 2)
		ask()
		x.type_("x") // stop them and quit
		require.Equal(t, 0, x.wait())
		for _, words := range []string{"look at one", "look at two"} {
			s.server.awaitLeft(t, s.server.await(t, fromChild(words)))
		}
	})
}

func TestQuittingCanWaitForTheBackgroundRuns(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two))
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		x.rest()
		x.type_(keyCtrlC)
		x.see("again")
		x.type_(keyCtrlC)
		x.waitFor("the three ways out", func(screen string) bool {
			return containsAll(strings.ToLower(screen), "stop", "wait", "cancel")
		})
		x.type_("w")
		x.see("quits when")
		close(one)
		close(two)
		require.Equal(t, 0, x.wait())
		for _, words := range []string{"look at one", "look at two"} {
			h := s.server.await(t, fromChild(words))
			select {
			case <-h.stream.left:
				require.FailNow(t, "it was not waited for")
			case <-h.stream.ended:
			}
		}
	})
}

func TestSessionIsDrivenByOneProcessAtATime(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("Here I am.") })
	x := s.open(t)
	x.prompt("are you there?")
	x.see("Here I am.")
	out, errs, code := run(t, s.dir, s.env, s.flags("--continue", "-p", "and here?")...)
	require.Equal(t, 1, code)
	require.Empty(t, out)
	requireOneLine(t, errs)
	require.Regexp(t, `^pawl: another Pawl \(process \d+\) has session ([0-9a-f-]+) open: read it with pawl show [0-9a-f-]+ or pawl export [0-9a-f-]+, on the screen with pawl import [0-9a-f-]+, or begin another with pawl\n$`, errs)
	require.Len(t, s.server.all(fromParent), 1)
	end := strings.Fields(errs[strings.Index(errs, "pawl show"):])[2]
	second := startCommand(t, 120, 40, s.command(t, "--session", end)) // with a screen it is the same
	require.Equal(t, 1, second.wait())
	second.see("another Pawl (process ")
	for name, row := range map[string]struct {
		args []string
		want string
	}{ // to look is allowed
		"sessions": {[]string{"sessions"}, "in use by process "},
		"show":     {[]string{"show", end}, "Here I am."},
		"export":   {[]string{"export", end, "-o", "-"}, "Here I am."},
	} {
		out, errs, code = run(t, s.dir, s.env, row.args...)
		require.Equal(t, 0, code, errs)
		require.Contains(t, out, row.want, name)
	}
	require.Equal(t, 0, x.quit())
	out, errs, code = run(t, s.dir, s.env, "sessions")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "are you there?")
	require.NotContains(t, out, "in use")
	out, errs, code = run(t, s.dir, s.env, s.flags("--continue", "-p", "and now?")...)
	require.Equal(t, 0, code, errs)
	require.Equal(t, "Here I am.\n", out)
	require.Len(t, s.server.awaitNth(t, 2, fromParent).messages, 3)
}

func TestTheWayBackIsSaidAtEveryEndThatSomebodyCanRead(t *testing.T) {
	t.Parallel()
	for signal, said := range map[syscall.Signal]bool{syscall.SIGTERM: true, syscall.SIGINT: true, syscall.SIGHUP: false} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), func(heard) reply { return say("I have just begun").until(make(chan struct{})) })
			x := s.open(t)
			x.prompt("go on for ever")
			x.see("I have just begun")
			x.signal(signal)
			require.Equal(t, 128+int(signal), x.wait())
			list, errs, code := run(t, s.dir, s.env, "sessions")
			require.Equal(t, 0, code, errs)
			require.Equal(t, said, strings.Contains(x.raw(), "To go on: pawl --session "+strings.Fields(list)[0]))
		})
	}
	t.Run("a session that is not the newest", func(t *testing.T) {
		t.Parallel()
		s := set(t, anthropicProtocol(), func(heard) reply { return say("Here I am.") })
		first, errs, code := s.prompted(t, "-p", "one")
		require.Equal(t, 0, code, errs)
		_, errs, code = s.prompted(t, "-p", "two")
		require.Equal(t, 0, code, errs)
		x := s.open(t, "--session", first.Session)
		require.Equal(t, 0, x.quit())
		require.Contains(t, x.raw(), "To go on: pawl --session "+first.Session)
	})
	t.Run("a session in which nothing was said", func(t *testing.T) {
		t.Parallel()
		s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
		x := s.open(t)
		require.Equal(t, 0, x.quit())
		require.NotContains(t, x.raw(), "To go on")
	})
}

func TestDraftsToSubagentsOutliveAQuit(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), twoLooks(closedChannel(), closedChannel()))
	r, errs, code := s.prompted(t, "-p", "send two")
	require.Equal(t, 0, code, errs)
	x := s.open(t, "--session", r.Session)
	x.see("send two")
	x.type_("to the parent", keyTab)
	x.see("1 of 2")
	x.type_("and the cellar?")
	x.see("and the cellar?")
	x.signal(syscall.SIGTERM)
	require.Equal(t, 143, x.wait())

	x = s.open(t, "--session", r.Session)
	x.see("to the parent")
	x.type_(keyTab)
	x.see("1 of 2", "and the cellar?")
	pawl := x.pawl()
	x.crash()
	require.Eventually(t, func() bool { return syscall.Kill(pawl, 0) != nil }, patience, 10*time.Millisecond) // the session is its own until then

	_, errs, code = run(t, s.dir, s.env, "rm", r.Session)
	require.Equal(t, 0, code, errs)
	database, err := os.ReadFile(s.database())
	require.NoError(t, err)
	require.NotContains(t, string(database), "and the cellar?")
}

func TestWithoutItsKeyTheScreenSaysSoAtOnceAndKeepsThePrompt(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	s.with("ANTHROPIC_API_KEY=")
	x := s.open(t)
	x.see("ANTHROPIC_API_KEY is not set", "pawl doctor")
	x.type_("are you there?", keyEnter)
	x.see("not sent; your text is still here", "are you there?")
	x.signal(syscall.SIGTERM)
	require.Equal(t, 143, x.wait())
	x = s.with("ANTHROPIC_API_KEY=" + rightKey).open(t) // as a person would then
	x.see("are you there?")
	require.NotContains(t, x.screen(), "is not set")
	require.Equal(t, 0, x.quit())
	s.with("ANTHROPIC_API_KEY=")
	_, errs, code := run(t, s.dir, s.env, s.flags("-p", "are you there?")...)
	require.Equal(t, 1, code)
	requireOneLine(t, errs)
	require.Contains(t, errs, "pawl doctor")
}

func TestExportCommandGivesTheBytesOfTheKey(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, twoLooks(closedChannel(), closedChannel()))
		r, errs, code := s.prompted(t, "-p", "send two")
		require.Equal(t, 0, code, errs)
		x := s.open(t, "--session", r.Session)
		x.see("send two")
		x.type_(keyCtrlS)
		x.see("exported to")
		byKey, err := filepath.Glob(filepath.Join(s.exports(), "send-two-*.md"))
		require.NoError(t, err)
		require.Len(t, byKey, 1)
		keyed, err := os.ReadFile(byKey[0])
		require.NoError(t, err)
		require.Equal(t, 0, x.quit())
		out, errs, code := run(t, s.dir, s.env, "export", r.Session, "-o", "-")
		require.Equal(t, 0, code, errs)
		require.Equal(t, string(keyed), out)
		out, errs, code = run(t, s.dir, s.env, "export", r.Session, "--format", "json", "-o", "-")
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
