package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// twoLooks is the script of a parent that sends two subagents to the background
// and says so.
func twoLooks(one, two <-chan struct{}) func(heard) reply {
	return func(h heard) reply {
		switch {
		case h.child("look at one"):
			return say("One has ").until(one, "a door.")
		case h.child("look at two"):
			return say("Two has ").until(two, "a window.")
		case h.asked("<task-notification>"):
			return say("I have heard of an end.")
		case h.answered("agent"):
			return say("They are on their way.")
		}
		return do(launch("first look", "look at one"), launch("second look", "look at two"))
	}
}

// parentHeardOf matches the requests in which the parent knows of exactly these
// ends, in this order.
func parentHeardOf(descriptions ...string) func(heard) bool {
	return func(h heard) bool {
		notices := h.notices()
		if !h.parent() || len(notices) != len(descriptions) {
			return false
		}
		for i, description := range descriptions {
			if !containsAll(notices[i], description) {
				return false
			}
		}
		return true
	}
}

func TestEachBackgroundEndWakesTheIdleParentOnce(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two))
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "first look", "One has", "second look", "Two has")
		for _, got := range tellings(t, s.server.await(t, parentTold("agent"))) {
			require.Equal(t, "running", got.Status)
			require.Contains(t, got.Message, "do not poll")
		}
		close(two)
		h := s.server.await(t, parentHeardOf("second look"))
		require.True(t, containsAll(h.notices()[0], "<status>completed</status>", "<result>Two has a window.</result>", "<remaining>1</remaining>", "<all-terminal>false</all-terminal>"), h.notices()[0])
		x.see("second look", "I have heard of an end.")
		close(one)
		h = s.server.await(t, parentHeardOf("second look", "first look"))
		require.True(t, containsAll(h.notices()[1], "<status>completed</status>", "<result>One has a door.</result>", "<remaining>0</remaining>", "<all-terminal>true</all-terminal>"), h.notices()[1])
		x.waitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
		require.Len(t, s.server.all(fromParent), 4)
		require.Equal(t, 0, x.quit())
		requireEachNoticeOnce(t, s.server, "first look", "second look")
	})
}

func TestTwoBackgroundEndsWakeTheParentOnceTogether(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		both, busy := make(chan struct{}), make(chan struct{})
		script := twoLooks(both, both)
		s := set(t, p, func(h heard) reply {
			answer := script(h)
			if h.parent() && h.answered("agent") && len(h.notices()) == 0 {
				answer = answer.until(busy, " I am done.")
			}
			return answer
		})
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		close(both)
		x.see("One has a door.", "Two has a window.") // both have ended, the parent has not
		require.Len(t, s.server.all(fromParent), 2)
		close(busy)
		x.see("I have heard of an end.")
		histories := s.server.all(fromParent)
		require.Len(t, histories, 3, "one wake-up for both")
		require.Len(t, histories[2].notices(), 2)
		require.Equal(t, 0, x.quit())
		requireEachNoticeOnce(t, s.server, "first look", "second look")
	})
}

func TestEscAndCtrlCOnTheComposerLeaveBackgroundRunsAlone(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two))
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")

		x.rest()
		x.type_("half a thought")
		x.see("half a thought")
		x.type_(keyEsc)
		x.seeNot("half a thought")
		x.see("↓") // how to reach the runs
		x.type_(keyCtrlY)
		x.see("half a thought")
		x.type_(keyEsc)
		x.seeNot("half a thought")
		x.type_(keyCtrlC)
		x.see("again")
		s.server.requireOpen(t, fromChild("look at one"))
		s.server.requireOpen(t, fromChild("look at two"))
		close(one)
		close(two)
		x.see("I have heard of an end.")
		for _, words := range []string{"first look", "second look"} {
			s.server.await(t, func(h heard) bool {
				for _, notice := range h.notices() {
					if containsAll(notice, words, "<status>completed</status>") {
						return true
					}
				}
				return false
			})
		}
	})
}

func TestCardStopsItsBackgroundRunWithXTwice(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two))
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		x.type_(keyDown)
		x.see("x x stop")
		x.type_("x")
		x.see("x again stops it")
		s.server.requireOpen(t, fromChild("look at one"))
		s.server.requireOpen(t, fromChild("look at two"))
		x.type_("x")
		requireOneStopped(t, s, x)
		close(one)
		close(two)
		require.Equal(t, 0, x.idle().quit())
	})
}

// stopCard stops the run of the line with the focus, which takes two presses.
func (x *terminal) stopCard() {
	x.t.Helper()
	x.see("x x stop")
	x.type_("x")
	x.see("x again stops it")
	x.type_("x")
}

func TestCardStopsItsBackgroundRunWithEscTwice(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two))
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		x.type_(keyDown)
		x.type_(keyEsc)
		x.see("again stops it")
		s.server.requireOpen(t, fromChild("look at one"))
		s.server.requireOpen(t, fromChild("look at two"))
		x.type_(keyEsc)
		requireOneStopped(t, s, x)
		close(one)
		close(two)
		require.Equal(t, 0, x.idle().quit())
	})
}

// requireOneStopped holds one of the two looks to have been stopped, with its
// partial text told, and the other to go on.
func requireOneStopped(t *testing.T, s *stage, x *terminal) {
	t.Helper()
	h := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) > 0 })
	notice := h.notices()[0]
	require.Contains(t, notice, "<status>canceled_by_user</status>")
	stopped, other, partial := "look at one", "look at two", "<result>One has"
	if containsAll(notice, "second look") {
		stopped, other, partial = other, stopped, "<result>Two has"
	}
	require.Contains(t, notice, partial)
	require.Contains(t, notice, "<remaining>1</remaining>")
	s.server.awaitLeft(t, s.server.await(t, fromChild(stopped)))
	s.server.requireOpen(t, fromChild(other))
	x.see("stopped by you")
}

// idle waits until the second of two looks has been told as well, and the focus
// is on the composer again.
func (x *terminal) idle() *terminal {
	x.t.Helper()
	x.waitFor("both answers", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	x.type_(keyEsc)
	x.seeNot("enter open")
	return x
}
