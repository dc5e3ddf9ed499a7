package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// leaveAlt is what a program writes that gives the screen back to the shell.
const leaveAlt = "\x1b[?1049l"

func TestOneGoesToAnotherSessionAndBackOnTheSameScreen(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	looks := twoLooks(one, two)
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.asked("an old tale") {
			return say("Once upon a time.")
		}
		return looks(h)
	})
	old, errs, code := s.prompted(t, "-p", "an old tale")
	require.Equal(t, 0, code, errs)
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.", "One has", "Two has")
	x.rest()
	x.type_("not sent yet", keyCtrlP)
	x.type_("another session", keyEnter)
	x.see("Sessions here", "an old tale", "2 subagents")
	x.type_(keyTab)
	x.see("tab this folder")
	x.type_("tale", keyEnter)
	x.see("Leave this session while 2 runs go on?", "first look", "second look")
	x.type_(keyEsc)
	x.seeNot("Leave this session")
	require.Empty(t, s.server.all(func(h heard) bool { return h.asked("not sent yet") }))
	s.server.requireOpen(t, fromChild("look at one"))

	x.type_(keyCtrlP)
	x.type_("another session", keyEnter)
	x.see("Sessions here")
	x.type_("tale", keyEnter)
	x.see("Leave this session")
	x.type_("x")
	x.see("Once upon a time.", "not sent yet")
	for _, words := range []string{"look at one", "look at two"} {
		s.server.awaitLeft(t, s.server.await(t, fromChild(words)))
	}
	x.type_(keyCtrlU, "/sessions", keyEnter)
	x.see("Sessions here", "send two", "2 not delivered")
	x.type_("send two", keyEnter)
	x.see("They are on their way.", "first look")
	x.seeNot("Once upon a time.")

	other := s.open(t, "--session", old.Session)
	other.see("Once upon a time.")
	x.type_("/sessions tale", keyEnter)
	x.see("in use by process")
	x.type_(keyEnter)
	x.see("another Pawl has it open")
	require.Equal(t, 0, other.quit())

	x.type_("/clear", keyEnter)
	x.see("the session before stays: /sessions, or pawl --session", "show all keys")
	x.prompt("an old tale, again")
	x.see("Once upon a time.")
	require.NotContains(t, x.raw(), leaveAlt, "the shell was seen")
	require.Equal(t, 0, x.quit())
	require.Equal(t, 1, strings.Count(x.raw(), leaveAlt))
	list, errs, code := run(t, s.dir, s.env, "sessions")
	require.Equal(t, 0, code, errs)
	require.Equal(t, 3, strings.Count(list, "\n"))
	require.Contains(t, x.raw(), "To go on: pawl --session "+strings.Fields(list)[0])
}
