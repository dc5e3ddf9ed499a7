package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The parent wakes when a run is overdue; what becomes of the run is its user's to
// choose, on its card.
func TestAnOverdueCardOffersItsChoices(t *testing.T) {
	t.Parallel()
	dig, look := make(chan struct{}), make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("The bottom ").until(dig, "is stone.")
		case h.child("look"):
			return say("The sky ").until(look, "is blue.")
		case len(h.notices()) > 0:
			return say("I have heard of an end.")
		case h.answered("agent"):
			return say("They take long.")
		}
		return do(delegate("a dig", "dig down"), delegate("a look", "look up"))
	}).with("PAWL_SUBAGENTS_FOREGROUND_WARNING=300ms")
	x := s.open(t)
	x.prompt("send both")
	x.see("They take long.", "overdue", "↓ then w go on waiting · b to the background · m message · x x stop", "↓ subagents")
	x.rest()
	x.type_(keyDown)
	x.see("enter open · w go on waiting")
	x.type_("?")
	x.see("esc close")
	x.type_(keyEsc)
	x.see("enter open")
	x.type_(keyUp)
	x.see("↓ then w go on waiting")
	x.type_(keyDown)
	x.see("enter open")
	x.type_("w")
	x.see("it keeps running; you and the main agent are told when it ends")
	x.type_(keyDown)
	x.see("enter open · w go on waiting")
	x.type_("b")
	x.see("in the background now: a look")
	x.seeNot("go on waiting ·")
	x.type_("m")
	x.see(`Message "a look"`, "2 of 2")
	x.type_(keyAltUp)
	x.see("1 of 2")
	x.type_(keyTab)
	x.see("2 of 2")
	x.type_(keyLeft)
	x.see("They take long.")
	x.type_(keyDown)
	x.see("enter open")
	x.stopCard()
	x.see("stopped: a dig", "stopped by you")
	x.see("I have heard of an end.")
	close(look)
	x.see("not opened")
	x.waitFor("the parent's word on both ends", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	require.Equal(t, 0, x.quitFromCard())
}

// quitFromCard leaves a session whose card has the focus.
func (x *terminal) quitFromCard() int {
	x.t.Helper()
	x.rest()
	x.type_(keyLeft)
	x.seeNot("enter open")
	return x.quit()
}

// An end is unread until its session is opened, also by the next process; what came
// since stands below a line.
func TestWhatASubagentDidUnseenIsMarkedUntilItIsSeen(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig") && h.answered("read"):
			return say().until(release, "Stone.")
		case h.child("dig"):
			return do(use("read", object{"path": "calc.go"})).saying("I begin to dig.")
		case len(h.notices()) > 0:
			return say("Stone, it says.")
		case h.answered("agent"):
			return say("It is on its way.")
		}
		return do(launch("a dig", "dig to the bottom"))
	})
	x := s.open(t)
	x.prompt("send one")
	x.see("It is on its way.")
	s.server.await(t, func(h heard) bool { return h.child("dig") && h.answered("read") })
	x.type_(keyDown, keyRight)
	x.see("dig to the bottom", `Message "a dig"`, "I begin to dig.")
	x.type_(keyLeft)
	x.see("It is on its way.")
	close(release)
	x.see("Stone, it says.", "not opened")
	require.Equal(t, 0, x.quit())

	x = s.open(t, "--continue")
	x.see("Stone, it says.", "not opened")
	x.type_(keyTab)
	x.inThisOrder("I begin to dig.", "new since you looked", "Stone.")
	x.type_(keyLeft)
	x.see("Stone, it says.")
	x.seeNot("not opened")
	x.type_(keyTab)
	x.see("1 of 1", "Stone.")
	x.seeNot("new since you looked")
	x.type_(keyLeft)
	x.see("Stone, it says.")
	require.Equal(t, 0, x.quit())
}
