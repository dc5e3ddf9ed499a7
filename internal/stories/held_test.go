package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An idle parent is not woken where that is not safe; the screen says why, and
// what is owed goes with the user's next message.

func TestAParentThatHasWokenItselfOftenEnoughWaitsForItsUser(t *testing.T) {
	t.Parallel()
	for setting, row := range map[string]struct {
		first, second string // what the screen says after each end
		woken         int
	}{
		"PAWL_SUBAGENTS_MAX_AUTO_RESUMES=1": {"I have heard of an end.", "1 result is reported with your next message: the main agent has continued on its own 1 time already", 1},
		"PAWL_SUBAGENTS_MAX_AUTO_RESUMES=0": {"1 result is reported with your next message: the main agent never continues on its own", "2 results are reported with your next message: the main agent never continues on its own", 0},
	} {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, anthropicProtocol(), twoLooks(one, two)).with(setting)
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		close(one)
		x.see("One has a door.", row.first)
		close(two)
		x.see(row.second)
		require.Len(t, s.server.all(fromParent), 2+row.woken)
		x.prompt("and?")
		h := s.server.await(t, parentAsked("and?"))
		require.Len(t, h.notices(), 2)
		x.seeNot("with your next message")
		require.Equal(t, 0, x.quit())
		requireEachNoticeOnce(t, s.server, "first look", "second look")
	}
}

func TestAnOpenQuestionHoldsTheWakeUpBack(t *testing.T) {
	t.Parallel()
	one := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("look at one"):
			return say("One has ").until(one, "a door.")
		case h.child("make the file"):
			return wantsShell(h)
		case len(h.notices()) > 0:
			return say("I have heard of an end.")
		case h.answered("agent"):
			return say("They are on their way.")
		}
		return do(launch("first look", "look at one"), launch("file making", "make the file"))
	}).with("PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask")
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.")
	x.asked()
	close(one)
	x.see("1 result waits until you answer")
	require.Len(t, s.server.all(fromParent), 2)
	x.answer("y")
	h := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) > 0 })
	require.Contains(t, h.notices()[0], "first look")
	s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) == 2 })
	x.heardAll(s)
	require.Equal(t, 0, x.quit())
	requireEachNoticeOnce(t, s.server, "first look", "file making")
}

// heardAll waits until the parent has said something to each request that told it
// of an end. Before that, Ctrl+C would stop it.
func (x *terminal) heardAll(s *stage) {
	x.t.Helper()
	x.waitFor("every answer", func(screen string) bool {
		told := s.server.all(func(h heard) bool { return h.parent() && len(h.notices()) > 0 })
		return strings.Count(screen, "I have heard of an end.") == len(told)
	})
}

func TestAReopenedSessionDeliversWhatItOwesWithTheNextMessage(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := set(t, anthropicProtocol(), twoLooks(one, two)).with("PAWL_SUBAGENTS_MAX_AUTO_RESUMES=0")
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.", "One has", "Two has")
	close(one)
	close(two)
	x.see("2 results are reported with your next message: the main agent never continues on its own")
	require.Equal(t, 0, x.quit())

	s.with("PAWL_SUBAGENTS_MAX_AUTO_RESUMES=10")
	x = s.open(t, "--continue")
	x.see("reopened", "2 results are reported with your next message")
	x.rest()
	x.type_(keyCtrlX)
	x.see("nothing is running")
	require.Len(t, s.server.all(fromParent), 2, "a session that was opened again does nothing by itself")
	x.prompt("and?")
	x.see("I have heard of an end.")
	require.Len(t, s.server.await(t, parentAsked("and?")).notices(), 2)
	require.Equal(t, 0, x.quit())
	requireEachNoticeOnce(t, s.server, "first look", "second look")
}

// A parent that cannot begin is not woken again and again by what it is owed.
func TestAParentThatCannotBeginIsNotWokenByWhatItIsOwed(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := set(t, anthropicProtocol(), twoLooks(one, two)).with("PAWL_LIMITS_MAX_TOKENS=2000")
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.", "One has", "Two has")
	x.rest()
	x.prompt("and?")
	x.see("budget: the session's budget is used up", "limits.max_tokens")
	close(one)
	x.see("1 result is reported with your next message: the last run could not start")
	close(two)
	x.see("2 results are reported with your next message: the last run could not start")
	require.Len(t, s.server.all(fromParent), 2)
	require.Equal(t, 0, x.quit())
}
