package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheKeysOfADialogChooseAndClose(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := set(t, chatProtocol(), twoLooks(one, two))
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.", "One has", "Two has")
	x.rest()
	for _, shut := range []string{keyEsc, keyCtrlC} {
		x.type_(keyCtrlX)
		x.see("Stop 2 runs?", "› cancel")
		x.type_(shut)
		x.seeNot("Stop 2 runs?")
	}
	x.type_(keyCtrlX)
	for _, on := range []string{keyDown, keyTab, keyRight} {
		x.see("› cancel")
		x.type_(on)
		x.see("› stop all of them")
		x.type_(keyUp)
		x.see("› cancel")
		x.type_(keyShiftTab)
		x.see("› stop all of them")
		x.type_(keyLeft)
	}
	x.see("› cancel")
	x.type_(keyDown)
	x.see("› stop all of them")
	x.type_(keyEnter)
	x.see("first look · stopped by you", "second look · stopped by you")
	require.Equal(t, 0, x.quit())
}

func TestAnAnswerToAStrangerHoldsForTheNextStart(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"y", "x"} {
		s := set(t, chatProtocol(), looks)
		s.withProjectServer(t, "disk")
		x := s.open(t)
		x.see("disk: sh server.sh", "not now")
		x.answer(answer)
		x.seeNot("not now")
		if answer == "y" { // the session is opened again
			x.waitFor("another screen", func(string) bool { return strings.Count(x.raw(), "\x1b[?2004h") > 1 })
		}
		x.see("Ask Pawl anything")
		require.Equal(t, 0, x.quit())

		x = s.open(t)
		x.see("Ask Pawl anything")
		require.Equal(t, 0, x.quit(), "the answer is remembered")
		if answer == "y" {
			require.FileExists(t, s.mcpMark())
		} else {
			require.NoFileExists(t, s.mcpMark())
		}
	}
}
