package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCardOpensItsSessionAndAMessageIsTakenInAtTheNextStep(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("look for gold too"):
				return say("Stone, and no gold.")
			case h.child("dig"):
				answer := do(use("read", object{"path": "calc.go"})).saying("I begin to dig.")
				answer.hold = release
				return answer
			case len(h.notices()) > 0:
				return say("No gold.")
			case h.answered("agent"):
				return say("It is on its way.")
			}
			return do(launch("a dig", "dig to the bottom"))
		})
		x := s.open(t)
		x.prompt("send one")
		x.see("It is on its way.", "I begin to dig.")
		x.type_(keyDown)
		x.see("enter open")
		x.type_(keyEnter)
		x.see("dig to the bottom")
		x.prompt("look for gold too")
		close(release)
		x.see("Stone, and no gold.")
		s.server.await(t, func(h heard) bool { return h.child("dig") && h.answered("read") && h.asked("look for gold too") })
		x.type_(keyLeft)
		x.see("send one", "It is on its way.", "No gold.")
		require.Equal(t, 0, x.quit())
	})
}

func TestCtrlBSendsTheWaitingSubagentToTheBackground(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig"):
				return say("The bottom ").until(release, "is stone.")
			case len(h.notices()) > 0:
				return say("Stone, it says.")
			case h.answered("agent"):
				return say("You sent it away.")
			}
			return do(delegate("a dig", "dig to the bottom"))
		})
		x := s.open(t)
		x.prompt("send one")
		x.see("a dig", "The bottom")
		x.type_(keyCtrlB)
		x.see("You sent it away.")
		got := tellings(t, s.server.await(t, parentTold("agent")))
		require.Equal(t, "running", got[0].Status)
		require.Empty(t, got[0].Warning)
		s.server.requireOpen(t, fromChild("dig"))
		close(release)
		x.see("Stone, it says.")
		h := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) == 1 })
		require.Contains(t, h.notices()[0], "<result>The bottom is stone.</result>")
		require.Equal(t, 0, x.quit())
	})
}

func TestCtrlXNamesAllRunsAndStopsThemAfterAQuestion(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		one, two := make(chan struct{}), make(chan struct{})
		s := set(t, p, twoLooks(one, two))
		x := s.open(t)
		x.prompt("send two")
		x.see("They are on their way.", "One has", "Two has")
		x.rest()
		x.type_(keyCtrlX)
		x.see("Stop 2 runs")
		x.type_(keyEsc)
		x.seeNot("Stop 2 runs")
		s.server.requireOpen(t, fromChild("look at one"))
		x.type_(keyCtrlX)
		x.see("Stop 2 runs")
		x.type_("x")
		for _, words := range []string{"look at one", "look at two"} {
			s.server.awaitLeft(t, s.server.await(t, fromChild(words)))
		}
		x.waitFor("two stopped runs", func(screen string) bool { return strings.Count(screen, "stopped by you") >= 2 })
		require.Len(t, s.server.all(fromParent), 2, "the user stopped the session: it does not wake by itself")
		x.prompt("what happened?")
		h := s.server.await(t, parentAsked("what happened?"))
		require.Len(t, h.notices(), 2)
		for _, notice := range h.notices() {
			require.Contains(t, notice, "<status>canceled_by_user</status>")
		}
		x.see("I have heard of an end.")
		require.Equal(t, 0, x.quit())
	})
}
