package stories

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// seeClipped waits until exactly this text was given to the terminal's clipboard.
func (x *terminal) seeClipped(text string) {
	x.t.Helper()
	sequence := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	x.waitFor("on the clipboard: "+text, func(string) bool { return strings.Contains(x.raw(), sequence) })
}

// mouseOn presses a button of the mouse where these words stand, and lets it go.
func (x *terminal) mouseOn(button int, words string) {
	x.t.Helper()
	x.see(words)
	for y, line := range strings.Split(x.screen(), "\n") {
		if before, _, ok := strings.Cut(line, words); ok {
			place := fmt.Sprintf("\x1b[<%d;%d;%d", button, len([]rune(before))+1, y+1)
			x.type_(place+"M", place+"m")
			return
		}
	}
}

// The buttons of a mouse, as a terminal numbers them.
const (
	leftButton = 0
	wheelUp    = 64
	wheelDown  = 65
)

const theAnswer = "It **adds**.\n\n```go\nfunc Two() int {\n\treturn Add(1, 1)\n}\n```"

// aLongRead looks into the files, with many words before, and then says what it does.
func aLongRead(h heard) reply {
	if h.answered("grep") {
		return say(theAnswer)
	}
	var list strings.Builder
	for i := range 60 {
		fmt.Fprintf(&list, "- item-%02d\n", i+1)
	}
	return do(use("grep", object{"pattern": "return a"})).saying(list.String())
}

func TestTheTranscriptIsReadBlockByBlock(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		x := set(t, p, aLongRead).open(t)
		x.prompt("what is it?")
		x.see("func Two()", "? keys")
		x.rest()
		x.type_(keyCtrlUp)
		x.see("┃It adds.", "y copy")
		x.type_("y")
		x.see("copied 7 lines")
		x.seeClipped(theAnswer)
		x.type_("Y")
		x.seeClipped("func Two() int {\n\treturn Add(1, 1)\n}\n")
		x.type_(keyUp)
		x.see("┃grep return a")
		x.type_(keyEnter)
		x.see("func Add(a, b int)")
		x.type_(" ")
		x.seeNot("func Add(a, b int)")
		x.type_("k")
		x.see("┃• item-60")
		x.type_("j")
		x.see("┃grep return a")
		x.type_(keyCtrlO)
		x.see("func Add(a, b int)")
		x.type_(keyCtrlO)
		x.seeNot("func Add(a, b int)")
		x.type_(keyPgUp)
		x.see("item-20")
		x.type_(keyPgDown)
		x.seeNot("item-20")
		x.type_(keyCtrlHome)
		x.see("›┃what is it?")
		x.type_(keyCtrlEnd)
		x.see("item-60")
		x.type_("?")
		x.see("Stopping", "esc close")
		x.type_(keyEsc)
		x.see("y copy")
		x.type_("q")
		x.seeNot("y copy")
		x.type_(keyShiftUp)
		x.see("y copy")
		x.type_(keyCtrlC)
		x.seeNot("y copy")
		x.type_(keyCtrlUp)
		x.see("y copy")
		x.type_(keyEsc)
		x.seeNot("y copy")
		x.type_(keyCtrlUp)
		x.see("┃It adds.")
		x.type_(keyDown)
		x.seeNot("y copy")
		x.type_(keyCtrlHome)
		x.see("› what is it?", "ctrl+end")
		x.type_(keyCtrlEnd)
		x.see("? keys")
		require.Equal(t, 0, x.quit())
	})
}

func TestTheTranscriptIsSearched(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		x := set(t, p, aLongRead).open(t)
		x.prompt("what is it?")
		x.see("func Two()", "? keys")
		x.rest()
		x.type_(keyCtrlF)
		x.see("search the session")
		x.type_("add")
		x.see("3/3")
		x.type_(keyEnter)
		x.see("2/3")
		x.type_(keyUp)
		x.see("1/3", "func Add(a, b int)") // in a block that was folded
		x.type_(keyDown)
		x.see("2/3")
		x.seeNot("func Add(a, b int)")
		x.type_(keyShiftEnter)
		x.see("3/3")
		x.type_(keyPgUp)
		x.see("item-20")
		x.type_(keyPgDown)
		x.seeNot("item-20")
		x.type_(keyCtrlU)
		x.see("search the session")
		x.type_("item-07")
		x.see("1/1", "• item-07")
		x.type_(keyEsc)
		x.see("Ask Pawl anything", "ctrl+end", "• item-07") // it stays where it led
		x.type_(keyCtrlEnd)
		x.see("? keys")

		x.type_(keyCtrlUp)
		x.see("┃It adds.")
		x.type_("n")
		x.see("no search yet")
		x.type_("/")
		x.see("search the session")
		x.type_("func Adder")
		x.see("not found")
		x.type_(keyBackspace, keyCtrlH)
		x.see("1/1", "func Add(a, b int)")
		x.type_(keyCtrlW)
		x.seeMatch(`/ func +2/2`)
		x.type_(keyCtrlC)
		x.see("y copy", "┃It adds.")
		x.type_("n")
		x.see("┃grep return a", "func Add(a, b int)")
		x.type_("N")
		x.see("┃It adds.")
		x.type_(keyCtrlF)
		x.see("search the session")
		x.type_(keyEsc)
		x.see("y copy")
		x.type_(keyEsc)
		x.see("? keys")
		require.Equal(t, 0, x.quit())
	})
}

func TestTheMouseOpensWhatItClicksOn(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
		release := make(chan struct{})
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig"):
				return say("I begin to dig.").until(release, " Stone.")
			case len(h.notices()) > 0:
				return say("Stone, it says.")
			case h.answered("agent"):
				return say("It is on its way: https://example.com/dig?deep=1")
			case h.answered("grep"):
				return do(launch("a dig", "dig to the bottom"))
			}
			return aLongRead(h)
		})
		x := s.open(t)
		x.prompt("send one")
		x.see("It is on its way", "I begin to dig.")
		require.Contains(t, x.raw(), "\x1b]8;;https://example.com/dig?deep=1", "a link")
		x.type_("half a line")
		x.mouseOn(leftButton, "a line")
		x.type_("not ")
		x.see("half not a line")
		x.mouseOn(leftButton, "grep return a")
		x.see("func Add(a, b int)")
		x.mouseOn(leftButton, "grep return a")
		x.seeNot("func Add(a, b int)")
		x.mouseOn(wheelUp, "grep return a")
		x.mouseOn(wheelUp, "item-60")
		x.see("ctrl+end newest")
		x.mouseOn(wheelDown, "item-50")
		x.mouseOn(wheelDown, "item-50")
		x.see("It is on its way")
		x.mouseOn(leftButton, "a dig ·")
		x.see("dig to the bottom", "← a dig")
		close(release)
		x.see("I begin to dig. Stone.")
		x.type_(keyLeft)
		x.see("half not a line", "Stone, it says.")
		x.type_(keyCtrlUp, keyUp, keyUp, keyUp)
		x.see("┃general a dig")
		x.type_(keyEnter)
		x.see("dig to the bottom", "← a dig")
		x.type_(keyLeft)
		x.see("half not a line")
		require.Equal(t, 0, x.quit())
	})
}
