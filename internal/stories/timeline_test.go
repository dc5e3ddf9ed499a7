package stories

import (
	"strings"
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
		x.see("Timeline", "main agent", "a dig", "1 of 2")
		x.type_("j")
		x.see("2 of 2")
		x.type_(keyPgUp)
		x.see("1 of 2")
		x.type_(keyPgDown)
		x.see("2 of 2")
		close(release)
		x.see("completed", "delivered at")
		x.type_("k")
		x.see("1 of 2")
		for _, shut := range []string{keyCtrlT, "q", keyCtrlC, keyEsc} {
			x.type_(shut)
			x.see("half a line")
			x.type_(keyCtrlT)
			x.see("Timeline")
		}
		x.type_(keyDown)
		x.see("2 of 2")
		x.type_(keyUp)
		x.see("1 of 2")
		x.type_(keyDown, keyEnter)
		x.see("dig to the bottom", "Stone.")
		x.type_(keyCtrlT, keyEnter)
		x.see("dig to the bottom", "← a dig")
		x.type_(keyLeft)
		x.see("half a line", "Stone, it says.")
		require.Equal(t, 0, x.quit())
	})
}

// Tools, a question and a stop are on the timeline as they come, the cursor names each,
// and all of it is there again when the session is opened by another process.
func TestTheTimelineShowsToolsAQuestionAndAStopLive(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig") && h.answered("shell"):
			return say("I go on digging.").until(make(chan struct{}))
		case h.child("dig") && h.answered("list"):
			return do(use("shell", object{"command": "echo ran > made.txt"}))
		case h.child("dig"):
			return do(use("list", object{})).saying("I begin to dig.").until(release)
		case h.answered("agent"):
			return say("It was stopped.")
		}
		return do(delegate("a dig", "dig to the bottom"))
	})
	x := s.open(t)
	x.prompt("send one")
	x.see("I begin to dig.")
	x.type_(keyCtrlT, keyDown)
	x.see("2 of 2", "│0s")
	close(release)
	x.see("wants to use shell")
	x.seeMatch(`› a dig .*━.*\?`)
	x.type_(keyCtrlT)
	x.seeNot("│0s")
	x.type_(keyCtrlT)
	x.see("│0s", "wants to use shell")
	x.seeNot("pause to answer")
	x.type_("y")
	x.seeNot("wants to use shell")
	x.type_(keyDown)
	x.seeMatch(`› a dig .*\?.*━ `) // the model has the result
	x.type_(keyLeft)
	x.see("so far")
	x.type_("l")
	x.seeNot("so far")
	x.type_("q")
	x.see("I go on digging.", "esc stops")
	x.type_(keyEsc)
	x.see("It was stopped.")
	x.rest()
	seen := func() {
		x.type_(keyCtrlT, keyDown)
		x.see("2 of 2")
		x.seeMatch(`› a dig .*\?.*■`) // its records are read
		x.type_(keyEnd, keyLeft)
		x.see("stopped by you")
		x.type_("h")
		x.see("stop requested by you")
		x.type_("h", "h")
		x.see("question shell echo ran > made.txt, yes, by you")
		x.type_("h")
		x.see("tool shell echo ran > made.txt, ok")
		x.type_("h", "h")
		x.see("tool list", "step 1")
		x.type_(keyHome)
		x.seeNot("tool list")
	}
	seen()
	x.type_(keyRight, "+", "=")
	x.seeMatch(`Timeline · .* of `)
	x.type_("-", "0")
	x.waitFor("the whole", func(screen string) bool { return !strings.Contains(screen, "Timeline · ") })
	x.type_(keyEnter)
	x.see("← a dig", "enter open")
	x.type_("q", keyLeft)
	x.see("It was stopped.")
	require.Equal(t, 0, x.quit())

	x = s.open(t, "--continue")
	x.see("It was stopped.")
	seen()
	x.type_("q")
	require.Equal(t, 0, x.quit())
}
