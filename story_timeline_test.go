package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTimelineShowsEachRunAndOpensIt(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig"):
				return say("I begin to dig.").until(release, " Stone.")
			case len(h.notices()) > 0:
				return say("Stone, it says.")
			case h.answered("agent"):
				return say("It is on its way.")
			}
			return do(launch("a dig", "dig to the bottom"))
		})
		x := s.open(t)
		x.prompt("send one")
		x.see("It is on its way.", "I begin to dig.")
		x.type_("half a line", keyCtrlT)
		x.see("Timeline", "this session", "a dig", "1 of 2")
		x.type_("j")
		x.see("2 of 2")
		x.type_(keyPgUp)
		x.see("1 of 2")
		x.type_(keyPgDown)
		x.see("2 of 2")
		close(release)
		x.see("completed", "parent told")
		x.type_("k")
		x.see("1 of 2")
		for _, shut := range []string{keyCtrlT, "q", keyLeft, keyCtrlC, keyEsc} {
			x.type_(shut)
			x.see("half a line")
			x.type_(keyCtrlT)
			x.see("Timeline")
		}
		x.type_(keyDown)
		x.see("2 of 2")
		x.type_(keyUp)
		x.see("1 of 2")
		x.type_(keyDown, keyRight)
		x.see("dig to the bottom", "Stone.")
		x.type_(keyCtrlT, keyEnter)
		x.see("dig to the bottom", "← a dig")
		x.type_(keyLeft)
		x.see("half a line", "Stone, it says.")
		require.Equal(t, 0, x.quit())
	})
}
