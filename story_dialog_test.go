package main

import (
	"strings"
	"testing"
	"time"

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
	for _, shut := range []string{keyEsc, keyCtrlC, "n"} {
		x.type_(keyCtrlX)
		x.see("Stop 2 runs?", "› stop all of them")
		x.type_(shut)
		x.seeNot("Stop 2 runs?")
	}
	x.type_(keyCtrlX)
	for _, on := range []string{keyDown, keyTab, keyRight} {
		x.see("› stop all of them")
		x.type_(on)
		x.see("› stay")
		x.type_(keyUp)
		x.see("› stop all of them")
		x.type_(keyShiftTab)
		x.see("› stay")
		x.type_(keyLeft)
	}
	x.see("› stop all of them")
	x.type_(keyEnter)
	x.waitFor("two stopped runs", func(screen string) bool { return count(screen, "stopped by you") >= 2 })
	require.Equal(t, 0, x.quit())
}

func TestAnAnswerToAStrangerHoldsForTheNextStart(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"y", "x"} {
		s := set(t, chatProtocol(), looks)
		s.withProjectServer(t, "disk")
		x := s.open(t)
		x.see("disk: sh server.sh", "not now")
		x.insist(answer, func(screen string) bool { return !strings.Contains(screen, "not now") })
		if answer == "y" { // the session is opened again
			x.waitFor("another screen", func(string) bool { return strings.Count(x.raw(), "\x1b[?2004h") > 1 })
		}
		// Where the screen was slow to show it, one key too many is in the line now.
		x.insist(keyCtrlU, func(screen string) bool { return strings.Contains(screen, "Ask Pawl anything") })
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

// insist presses a key again and again until the screen is as it should be: a
// dialog is deaf for a moment, which nothing on the screen tells.
func (x *terminal) insist(key string, ok func(screen string) bool) {
	x.t.Helper()
	for deadline := time.After(patience); !ok(x.screen()); {
		x.type_(key)
		select {
		case <-time.After(150 * time.Millisecond):
		case <-deadline:
			require.FailNow(x.t, "the screen does not heed "+key)
		}
	}
}
