package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAfterACrashTheScreenSaysWhatWasCutOffAndHowToGoOn(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"), h.child("look"):
			return say("I have just begun").until(make(chan struct{}))
		case h.asked("Your last run was interrupted"):
			return say("I take it up again.")
		}
		return do(launch("a dig", "dig to the bottom"), delegate("a look", "look around")).saying("I send two.")
	})
	x := s.open(t)
	x.prompt("send one and another")
	x.waitFor("both at work", func(screen string) bool { return strings.Count(screen, "I have just begun") >= 2 })
	x.crash()

	x = s.open(t, "--continue")
	x.see("Pawl ended while this was running. Nothing restarts on its own.", `Interrupted: "a dig", "a look"`,
		"1 result is reported with your next message", // the one that ran in the background; the other was a call's
		"enter on the empty line continues",           // for the parent's own run
		"then r continues one", "r continues it")      // for the subagents
	asked := len(s.server.all(func(heard) bool { return true }))
	require.Equal(t, 3, asked, "nothing has started by itself")
	x.type_(keyEnter)
	x.see("I take it up again.")
	x.seeNot("enter on the empty line")
	h := s.server.await(t, parentAsked("Your last run was interrupted"))
	require.Len(t, h.notices(), 1)
	x.crash()
}
