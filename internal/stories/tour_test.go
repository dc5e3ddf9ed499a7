package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A message of several lines, and the way back to it.
func TestTheKeysOfAMessageOfSeveralLines(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return say("I have read it.") })
	x := s.open(t)
	x.type_("a", "\n", "b", "\x1b\r", "c", keyShiftEnter, "d")
	x.see("› a\n  b\n  c\n  d")
	x.type_(keyUp, keyUp, keyDown, "!", keyEnter)
	x.see("I have read it.")
	require.Equal(t, "a\nb\nc!\nd", s.server.await(t, fromParent).messages[0].text)
	x.type_(keyUp)
	x.waitFor("the prompt of before", func(screen string) bool { return strings.Count(screen, "  c!") == 2 })
	x.type_(keyEsc)
	x.see("Ask Pawl anything")
	require.Equal(t, 0, x.quit())
}

// Every way from the line to a subagent, its card and its view, and back; the help,
// scrolling and what is folded.
func TestTheKeysThatMoveAround(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := set(t, chatProtocol(), twoLooks(one, two))
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.", "One has", "Two has")
	x.rest()
	x.type_(keyDown)
	x.see("enter open")
	x.type_(keyDown, keyDown)
	x.see("? keys")
	x.type_(keyDown, keyUp)
	x.see("? keys")
	x.type_(keyDown, "m")
	x.see(`Message "first look"`)
	x.type_(keyTab)
	x.see(`Message "second look"`)
	x.type_(keyTab)
	x.see(`Message "first look"`)
	x.type_(keyAltUp)
	x.see(`Message "second look"`)
	x.type_(keyAltDown)
	x.see(`Message "first look"`)
	x.type_(keyShiftTab)
	x.see("permission mode accept-edits", " · accept-edits")
	x.type_(keyLeft)
	x.see("Ask Pawl anything")
	x.type_(keyDown, keyRight)
	x.see(`Message "first look"`)
	x.type_(keyLeft)
	x.see("Ask Pawl anything")
	x.resize(120, 10)
	x.type_(keyDown)
	x.see("enter open")
	x.type_("?")
	for _, shut := range []string{keyCtrlC, "?", "q", keyEnter, keyEsc} {
		x.see("Writing")
		x.type_(keyPgDown)
		x.seeNot("Writing")
		x.type_(keyPgUp, keyDown)
		x.seeNot("Writing")
		x.type_(keyUp)
		x.see("Writing")
		x.type_(shut)
		x.see("enter open")
		x.type_("?")
	}
	x.see("Writing")
	x.type_(keyEsc)
	x.see("enter open")
	x.type_(keyLeft)
	x.see("? keys")
	x.type_("?")
	x.see("Writing")
	x.type_("q")
	x.see("Ask Pawl anything")
	x.type_(keyPgUp)
	x.see("ctrl+end newest", "send two")
	x.type_("\x1b[1;5F")
	x.see("They are on their way.")
	x.seeNot("ctrl+end newest")
	x.resize(120, 40)
	x.type_(keyCtrlO)
	x.see("look at one") // what the first was asked
	x.type_("\x0c")
	x.see("look at one")
	x.type_(keyDown, keyEnter)
	x.see(`Message "first look"`)
	x.type_(keyCtrlC)
	x.see("stopped: first look")
	close(two)
	x.type_(keyLeft)
	x.seeMatch(`(?s)◂ Agent.*◂ Agent.*I have heard of an end`) // each end may wake the parent
	require.Equal(t, 0, x.quit())
}
