package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// leaveAlt is what a program writes that gives the screen back to the shell.
const leaveAlt = "\x1b[?1049l"

func TestOneGoesToAnotherSessionAndBackOnTheSameScreen(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	looks := twoLooks(one, two)
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("an old tale") {
			return modeltest.Say("Once upon a time.")
		}
		return looks(h)
	})
	old, errs, code := s.Prompted(t, "-p", "an old tale")
	require.Equal(t, 0, code, errs)
	x := s.Open(t)
	x.Prompt("send two")
	x.See("They are on their way.", "One has", "Two has")
	x.Rest()
	x.Type("not sent yet", harness.KeyCtrlP)
	x.Type("another session", harness.KeyEnter)
	x.See("Sessions here", "an old tale", "2 subagents")
	x.Type(harness.KeyTab)
	x.See("tab this folder")
	x.Type("tale", harness.KeyEnter)
	x.See("Once upon a time.", "not sent yet")
	s.Server.RequireOpen(t, modeltest.FromChild("look at one"))
	s.Server.RequireOpen(t, modeltest.FromChild("look at two"))
	x.Type(harness.KeyCtrlU, "/sessions", harness.KeyEnter)
	x.See("Sessions here", "send two", "open")
	x.Type("send two", harness.KeyEnter)
	x.See("They are on their way.", "first look", "2 work")
	x.SeeNot("Once upon a time.")
	seeLine(x, "not sent yet")
	x.Type(harness.KeyCtrlU)
	close(one)
	x.See("Agent \"first look\" completed")

	other := s.Open(t, "--session", old.Session)
	other.See("Once upon a time.")
	x.Type("/sessions tale", harness.KeyEnter)
	x.SeeMatch(`an old tale +\S.* open `)
	x.Type(harness.KeyEnter)
	x.SeeNot("Sessions here")
	x.See("Once upon a time.")
	other.Prompt("an old tale, once more")
	for _, screen := range []*harness.Terminal{x, other} {
		screen.SeeMatch(`(?s)an old tale, once more.*Once upon a time\.`)
	}
	require.Equal(t, 0, other.Quit())
	close(two)

	x.Type("/clear", harness.KeyEnter)
	x.See("the session before stays: /sessions, or pawl attach", "show all keys")
	x.Prompt("an old tale, again")
	x.See("Once upon a time.")
	require.NotContains(t, x.Raw(), leaveAlt, "the shell was seen")
	require.Equal(t, 0, x.Quit())
	require.Equal(t, 1, strings.Count(x.Raw(), leaveAlt))
	list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
	require.Equal(t, 0, code, errs)
	require.Equal(t, 3, strings.Count(list, "\n"))
	for line := range strings.Lines(list) { // the newest, or the first one, whose end may have been recorded later
		require.Equal(t, strings.Contains(line, "an old tale, again"), strings.Contains(x.Raw(), "To go on: pawl --session "+strings.Fields(line)[0]), line)
	}
}
