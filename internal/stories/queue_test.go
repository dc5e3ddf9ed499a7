package stories

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// digAll is a parent that launches subagents in the background, each of which
// hangs until its channel is closed.
func digAll(names []string, release map[string]chan struct{}) func(heard) reply {
	var calls []call
	for _, name := range names {
		release[name] = make(chan struct{})
		calls = append(calls, launch("dig "+name, "go and dig "+name))
	}
	return func(h heard) reply {
		for _, name := range names {
			if h.child("go and dig " + name) {
				return say("Earth ").until(release[name], "and stone.")
			}
		}
		switch {
		case len(h.notices()) > 0:
			return say("I have heard of an end.")
		case h.answered("agent"):
			return say("They dig.")
		}
		return do(calls...)
	}
}

func TestTheQueueKeepsItsOrderAndAStopInItIsAnEndLikeAny(t *testing.T) {
	t.Parallel()
	release := map[string]chan struct{}{}
	s := set(t, anthropicProtocol(), digAll([]string{"one", "two", "three", "four"}, release)).with("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
	x := startSized(t, 120, 80, s.dir, s.env, s.flags()...) // room for all that is said
	x.ready()
	x.prompt("send them")
	x.see("They dig.", "waiting for a slot, 1st in line", "waiting for a slot, 2nd in line", "waiting for a slot, 3rd in line")
	got := tellings(t, s.server.await(t, parentTold("agent")))
	require.Equal(t, "running", got[0].Status)
	for i, place := range []int{1, 2, 3} {
		require.Equal(t, "queued", got[i+1].Status)
		require.Equal(t, place, got[i+1].Place)
		require.Contains(t, got[i+1].Message, "waits for a free slot. Nothing of it is running yet.")
		require.Contains(t, got[i+1].Message, "You will be told")
	}
	x.rest()
	x.type_(keyDown)
	x.see("enter open")
	x.type_(keyDown) // the second line: it has not begun
	x.stopCard()
	s.server.await(t, parentHeardOf("dig two"))
	notice := s.server.await(t, parentHeardOf("dig two")).noticeOf("dig two")
	require.True(t, containsAll(notice, "<status>canceled_by_user</status>", "the user pressed a key to stop it", "(there was no text)",
		"it had not begun, and changed nothing", "<remaining>3</remaining>"), notice)
	x.see("2nd in line")
	require.Empty(t, s.server.all(fromChild("go and dig t")), "no slot was free")
	close(release["one"])
	s.server.await(t, fromChild("go and dig three"))
	require.Empty(t, s.server.all(fromChild("go and dig four")), "one slot, one start")
	close(release["three"])
	s.server.await(t, fromChild("go and dig four"))
	close(release["four"])
	s.server.await(t, parentHeardOf("dig two", "dig one", "dig three", "dig four"))
	x.type_(keyEsc)
	x.seeNot("enter open") // else the next key might come within the same breath, and with Escape be another
	x.heardAll(s)
	require.Equal(t, 0, x.quit())
	require.Empty(t, s.server.all(fromChild("go and dig two")))
	requireEachNoticeOnce(t, s.server, "dig one", "dig two", "dig three", "dig four")
	list, _, _ := run(t, s.dir, s.env, "sessions")
	runs := s.page(t, strings.Fields(list)[0]).delegated(t)
	require.Equal(t, lifecycle.StateCanceledByUser, runs["dig two"].State)
	require.Zero(t, runs["dig two"].StartedAt)
	require.False(t, runs["dig four"].StartedAt.Before(runs["dig three"].EndedAt), "it started when the slot was free")
	require.Equal(t, runs["dig three"].EndedAt, runs["dig four"].StartedAt, "in the same moment, and the same transaction")
}

// The twenty-sixth is refused: who holds the slots, for how long, and that to try
// again is no use.
func TestTheTwentySixthIsToldWhoHoldsTheSlots(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 26 {
		names = append(names, fmt.Sprintf("place %02d", i))
	}
	release := map[string]chan struct{}{}
	s := set(t, anthropicProtocol(), digAll(names, release))
	x := s.open(t)
	x.prompt("send them")
	x.see("They dig.", "5 running", "20 queued")
	results := s.server.await(t, parentTold("agent")).resultsOf("agent")
	require.Len(t, results, 26)
	refused := results[25]
	require.Contains(t, refused, "no slot is free: 5 subagents run in the background and 20 wait")
	require.Contains(t, refused, "Do not retry")
	for _, holder := range names[:5] {
		require.Regexp(t, `"dig `+holder+`" \(agent [0-9a-f-]{36}, for \d+s\)`, refused)
	}
	require.NotContains(t, refused, names[5])
	x.rest()
	x.type_(keyCtrlX)
	x.see("Stop 25 runs")
	x.type_("x")
	x.see("25 stopped subagents are reported with your next message")
	require.Equal(t, 0, x.quit())
}

// A run that the limit keeps from the background stays where it is, and the screen
// says why.
func TestCtrlBBeyondTheLimitIsRefusedOnTheScreen(t *testing.T) {
	t.Parallel()
	hole, look := make(chan struct{}), make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("Earth ").until(hole, "and stone.")
		case h.child("look"):
			return say("The sky ").until(look, "is blue.")
		case h.told("look up"):
			return say("Blue, it says.")
		case len(h.notices()) > 0:
			return say("I have heard of an end.")
		}
		return do(launch("a dig", "dig down"), delegate("a look", "look up"))
	}).with("PAWL_SUBAGENTS_MAX_BACKGROUND=1")
	x := s.open(t)
	x.prompt("send both")
	x.see("Earth", "The sky", "ctrl+b background")
	x.type_(keyCtrlB)
	x.see("no slot is free: 1 subagent runs in the background already, and 0 wait")
	s.server.requireOpen(t, fromChild("look"))
	require.Len(t, s.server.all(fromParent), 1, "its call goes on waiting")
	close(look)
	x.see("Blue, it says.")
	got := tellings(t, s.server.await(t, parentTold("agent")))
	require.Equal(t, "completed", got[1].Status)
	close(hole)
	x.see("I have heard of an end.")
	require.Equal(t, 0, x.quit())
}
