package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A message of several lines, and the way back to it.
func TestTheKeysOfAMessageOfSeveralLines(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I have read it.") })
	x := s.Open(t)
	x.Type("a", "\n", "b", "\x1b\r", "c", harness.KeyShiftEnter, "d")
	x.See("› a\n  b\n  c\n  d")
	x.Type(harness.KeyUp, harness.KeyUp, harness.KeyDown, "!", harness.KeyEnter)
	x.See("I have read it.")
	x.Rest()
	require.Equal(t, "a\nb\nc!\nd", s.Server.Await(t, modeltest.FromParent).Messages[0].Text)
	x.Type(harness.KeyUp)
	x.WaitFor("the prompt of before", func(screen string) bool { return strings.Count(screen, "  c!") == 2 })
	x.Type(harness.KeyEsc)
	x.See("Ask Pawl anything")
	require.Equal(t, 0, x.Quit())
}

// Every way from the line to a subagent, its card and its view, and back; the help,
// scrolling and what is folded.
func TestTheKeysThatMoveAround(t *testing.T) {
	t.Parallel()
	_, x, _, two := twoAtWork(t, modeltest.Chat())
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyDown, harness.KeyDown)
	x.See("? keys")
	x.Type(harness.KeyDown, harness.KeyUp)
	x.See("? keys")
	x.Type(harness.KeyDown, "m")
	x.See(`Message "first look"`)
	x.Type(harness.KeyTab)
	x.See(`Message "second look"`)
	x.Type(harness.KeyTab)
	x.See(`Message "first look"`)
	x.Type(harness.KeyAltUp)
	x.See(`Message "second look"`)
	x.Type(harness.KeyAltDown)
	x.See(`Message "first look"`)
	x.Type(harness.KeyShiftTab)
	x.See("permission mode accept-edits", " · accept-edits")
	x.Type(harness.KeyLeft)
	x.See("Ask Pawl anything")
	x.Type(harness.KeyDown, harness.KeyRight)
	x.See(`Message "first look"`)
	x.Type(harness.KeyLeft)
	x.See("Ask Pawl anything")
	x.Resize(120, 10)
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type("?")
	for _, shut := range []string{harness.KeyCtrlC, "?", "q", harness.KeyEnter, harness.KeyEsc} {
		x.See("Writing")
		x.Type(harness.KeyPgDown)
		x.SeeNot("Writing")
		x.Type(harness.KeyPgUp, harness.KeyDown)
		x.SeeNot("Writing")
		x.Type(harness.KeyUp)
		x.See("Writing")
		x.Type(shut)
		x.See("enter open")
		x.Type("?")
	}
	x.See("Writing")
	x.Type(harness.KeyEsc)
	x.See("enter open")
	x.Type(harness.KeyLeft)
	x.See("? keys")
	x.Type("?")
	x.See("Writing")
	x.Type("q")
	x.See("Ask Pawl anything")
	x.Type(harness.KeyPgUp)
	x.See("ctrl+end newest", "send two")
	x.Type("\x1b[1;5F")
	x.See("They are on their way.")
	x.SeeNot("ctrl+end newest")
	x.Resize(120, 40)
	x.Type(harness.KeyCtrlO)
	x.See("look at one") // what the first was asked
	x.Type("\x0c")
	x.See("look at one")
	x.Type(harness.KeyDown, harness.KeyEnter)
	x.See(`Message "first look"`)
	x.Type(harness.KeyCtrlC)
	x.See("stopped: first look")
	close(two)
	x.Type(harness.KeyLeft)
	x.SeeMatch(`(?s)(◂ Agent.*◂ Agent|◂ 2 subagents ended).*I have heard of an end`) // each end may wake the parent
	require.Equal(t, 0, x.Quit())
}
