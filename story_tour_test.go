package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The keys of the line, each by what it leaves there.
func TestTheKeysOfTheLineEditIt(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return say("I have read it.") })
	x := s.open(t)
	for _, step := range []struct {
		key, line string // after the key, an X is typed where the cursor stands
	}{
		{"\x1b[H", "Xone two three"}, {"\x1b[F", "one two threeX"}, {"\x01", "Xone two three"}, {"\x05", "one two threeX"},
		{"\x1bb", "one two Xthree"}, {"\x1b[1;3D", "one two Xthree"}, {"\x1b[1;5D", "one two Xthree"},
		{keyLeft, "one two threXe"}, {keyCtrlB, "one two threXe"},
		{"\x17", "one two X"}, {"\x1b\x7f", "one two X"}, {"\x1b[127;5u", "one two X"},
		{"\x7f", "one two threX"}, {"\x08", "one two threX"}, {"\x1b[127;2u", "one two threX"},
		{"\x15", "X"},
	} {
		x.type_("one two three")
		x.see("› one two three")
		x.type_(step.key)
		x.type_("X")
		x.waitFor(step.line, func(screen string) bool { return hasLine(screen, "› "+step.line) })
		x.type_("\x05", "\x15")
		x.see("Ask Pawl anything")
	}
	for _, step := range []struct{ key, line string }{
		{"\x1bf", "oneX two three"}, {"\x1b[1;3C", "oneX two three"}, {"\x1b[1;5C", "oneX two three"},
		{keyRight, "oXne two three"}, {"\x06", "oXne two three"}, {"\x1bd", "X two three"}, {"\x0b", "X"},
		{"\x1b[3~", "Xne two three"}, {"\x04", "Xne two three"},
	} {
		x.type_("one two three", "\x01")
		x.see("› one two three")
		x.type_(step.key)
		x.type_("X")
		x.waitFor(step.line, func(screen string) bool { return hasLine(screen, "› "+step.line) })
		x.type_("\x05", "\x15")
		x.see("Ask Pawl anything")
	}
	x.type_(keyCtrlY)
	x.see("› Xne two three")
	x.type_("\x15", "a", "\x0a", "b", "\x1b\r", "c", "\x1b[13;2u", "d")
	x.see("› a\n  b\n  c\n  d")
	x.type_(keyUp, keyUp, keyDown, "!", keyEnter)
	x.see("I have read it.")
	require.Equal(t, "a\nb\nc!\nd", s.server.await(t, fromParent).messages[0].text)
	x.type_(keyUp)
	x.waitFor("the prompt of before", func(screen string) bool { return count(screen, "  c!") == 2 })
	x.type_(keyEsc)
	x.see("Ask Pawl anything")
	require.Equal(t, 0, x.quit())
}

func hasLine(screen, line string) bool {
	return containsAll("\n"+screen+"\n", "\n"+line+"\n")
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
	x.type_(keyShiftTab)
	x.see(`Message "second look"`)
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
	close(one)
	close(two)
	x.see("I have heard of an end.")
	require.Equal(t, 0, x.quit())
}
