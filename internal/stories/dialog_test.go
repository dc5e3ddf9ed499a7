package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestTheKeysOfADialogChooseAndClose(t *testing.T) {
	t.Parallel()
	_, x, _, _ := twoAtWork(t, modeltest.Chat())
	x.Rest()
	for _, shut := range []string{harness.KeyEsc, harness.KeyCtrlC} {
		x.Type(harness.KeyCtrlX)
		x.See("Stop 2 runs?", "› 2 esc  cancel")
		x.Type(shut)
		x.SeeNot("Stop 2 runs?")
	}
	x.Type(harness.KeyCtrlX)
	for _, on := range []string{harness.KeyDown, harness.KeyTab, harness.KeyRight} {
		x.See("› 2 esc  cancel")
		x.Type(on)
		x.See("› 1 x    stop all of them")
		x.Type(harness.KeyUp)
		x.See("› 2 esc  cancel")
		x.Type(harness.KeyShiftTab)
		x.See("› 1 x    stop all of them")
		x.Type(harness.KeyLeft)
	}
	x.See("› 2 esc  cancel")
	x.Type(harness.KeyDown)
	x.See("› 1 x    stop all of them")
	x.Type(harness.KeyEnter)
	x.See("first look · stopped by you", "second look · stopped by you")
	require.Equal(t, 0, x.Quit())
}

func TestAnAnswerToAStrangerHoldsForTheNextStart(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"y", "x"} {
		s := harness.NewStage(t, modeltest.Chat(), looks)
		withProjectServer(t, s, "disk")
		x := s.Open(t)
		x.See("disk: sh server.sh", "not now")
		x.Answer(answer)
		x.SeeNot("not now")
		if answer == "y" { // the session is opened again
			x.WaitFor("another screen", func(string) bool { return strings.Count(x.Raw(), "\x1b[?2004h") > 1 })
		}
		x.See("Ask Pawl anything")
		require.Equal(t, 0, x.Quit())

		x = s.Open(t, "--permission-mode", "bypass")
		x.Prompt("look below") // whose step waits for the servers: a screen that is quit at once has started none
		x.See(map[string]string{"y": "There are stones.", "x": "I have nothing to look with."}[answer])
		require.Equal(t, 0, x.Quit(), "the answer is remembered")
		if answer == "y" {
			require.FileExists(t, mcpMark(s))
		} else {
			require.NoFileExists(t, mcpMark(s))
		}
	}
}
