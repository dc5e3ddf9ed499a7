package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a crash cut off can be continued by the key that its line offers, also after the
// parent has heard of it and gone on; what ended without an answer stays until it is put
// away, and then for good.
func TestWhatALineOffersWorksAfterTheParentWentOn(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("look"):
			return nothing()
		case h.child("dig") && h.asked("was interrupted"):
			return say("Now it is dug.")
		case h.child("dig"):
			return say("I have just begun").until(never)
		case len(h.notices()) > 0 && h.asked("and?"):
			return say("I do without it.")
		case len(h.notices()) > 0:
			return say("I have heard of an end.")
		case h.answered("agent"):
			return say("They are on their way.")
		}
		return do(launch("a look", "look around"), launch("a dig", "dig to the bottom"))
	})
	x := s.open(t)
	x.prompt("send both")
	x.see("I have just begun", "I have heard of an end.", "ended without an answer")
	x.rest()
	x.crash()

	x = s.open(t, "--continue")
	x.see("a look", "ended without an answer", "interrupted", "r continues it")
	x.prompt("and?")
	x.see("I do without it.", "r continues it")
	x.rest()
	x.type_(keyDown)
	x.see("del hide")
	x.type_(keyDelete)
	x.see("hidden: a look", "r continue")
	x.type_("r")
	x.see("Now it is dug.")
	require.Len(t, s.server.all(fromChild("dig")), 2)
	x.waitFor("the parent's word on it", func(screen string) bool { return strings.Count(screen, "I have heard of an end.") == 2 })
	x.type_(keyBackspace)
	x.see("hidden: a dig")
	require.Equal(t, 0, x.quit())

	x = s.open(t, "--continue")
	x.see("Now it is dug.")
	x.seeNot("↓ subagents")
}
