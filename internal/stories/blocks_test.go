package stories

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// mouseOn presses a button of the mouse where these words stand, and lets it go.
func mouseOn(x *harness.Terminal, button int, words string) {
	x.T.Helper()
	x.See(words)
	for y, line := range strings.Split(x.Screen(), "\n") {
		if before, _, ok := strings.Cut(line, words); ok {
			place := fmt.Sprintf("\x1b[<%d;%d;%d", button, len([]rune(before))+1, y+1)
			x.Type(place+"M", place+"m")
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
func aLongRead(h modeltest.Request) modeltest.Reply {
	if h.Answered("grep") {
		return modeltest.Say(theAnswer)
	}
	var list strings.Builder
	for i := range 60 {
		fmt.Fprintf(&list, "- item-%02d\n", i+1)
	}
	return modeltest.Do(modeltest.Use("grep", modeltest.Object{"pattern": "return a"})).Saying(list.String())
}

func TestTheTranscriptIsReadBlockByBlock(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		x := harness.NewStage(t, p, aLongRead).Open(t)
		x.Prompt("what is it?")
		x.See("func Two()", "? keys")
		x.Rest()
		x.Type(harness.KeyCtrlUp)
		x.See("┃It adds.", "y copy")
		x.Type("y")
		x.See("copied 7 lines")
		x.SeeClipped(theAnswer)
		x.Type("Y")
		x.SeeClipped("func Two() int {\n\treturn Add(1, 1)\n}\n")
		x.Type(harness.KeyUp)
		x.See("┃grep return a")
		x.Type(harness.KeyEnter)
		x.See("func Add(a, b int)")
		x.Type(" ")
		x.SeeNot("func Add(a, b int)")
		x.Type("k")
		x.See("┃• item-60")
		x.Type("j")
		x.See("┃grep return a")
		x.Type(harness.KeyCtrlO)
		x.See("func Add(a, b int)")
		x.Type(harness.KeyCtrlO)
		x.SeeNot("func Add(a, b int)")
		x.Type(harness.KeyPgUp)
		x.See("item-20")
		x.Type(harness.KeyPgDown)
		x.SeeNot("item-20")
		x.Type(harness.KeyCtrlHome)
		x.See("›┃what is it?")
		x.Type(harness.KeyCtrlEnd)
		x.See("item-60")
		x.Type("?")
		x.See("Stopping", "esc close")
		x.Type(harness.KeyEsc)
		x.See("y copy")
		x.Type("q")
		x.SeeNot("y copy")
		x.Type(harness.KeyShiftUp)
		x.See("y copy")
		x.Type(harness.KeyCtrlC)
		x.SeeNot("y copy")
		x.Type(harness.KeyCtrlUp)
		x.See("y copy")
		x.Type(harness.KeyEsc)
		x.SeeNot("y copy")
		x.Type(harness.KeyCtrlUp)
		x.See("┃It adds.")
		x.Type(harness.KeyDown)
		x.SeeNot("y copy")
		x.Type(harness.KeyCtrlHome)
		x.See("› what is it?", "ctrl+end")
		x.Type(harness.KeyCtrlEnd)
		x.See("? keys")
		require.Equal(t, 0, x.Quit())
	})
}

func TestTheTranscriptIsSearched(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		x := harness.NewStage(t, p, aLongRead).Open(t)
		x.Prompt("what is it?")
		x.See("func Two()", "? keys")
		x.Rest()
		x.Type(harness.KeyCtrlF)
		x.See("search the session")
		x.Type("add")
		x.See("3/3")
		x.Type(harness.KeyEnter)
		x.See("2/3")
		x.Type(harness.KeyUp)
		x.See("1/3", "func Add(a, b int)") // in a block that was folded
		x.Type(harness.KeyDown)
		x.See("2/3")
		x.SeeNot("func Add(a, b int)")
		x.Type(harness.KeyShiftEnter)
		x.See("3/3")
		x.Type(harness.KeyPgUp)
		x.See("item-20")
		x.Type(harness.KeyPgDown)
		x.SeeNot("item-20")
		x.Type(harness.KeyCtrlU)
		x.See("search the session")
		x.Type("item-07")
		x.See("1/1", "• item-07")
		x.Type(harness.KeyEsc)
		x.See("Ask Pawl anything", "ctrl+end", "• item-07") // it stays where it led
		x.Type(harness.KeyCtrlEnd)
		x.See("? keys")

		x.Type(harness.KeyCtrlUp)
		x.See("┃It adds.")
		x.Type("n")
		x.See("no search yet")
		x.Type("/")
		x.See("search the session")
		x.Type("func Adder")
		x.See("not found")
		x.Type(harness.KeyBackspace, harness.KeyCtrlH)
		x.See("1/1", "func Add(a, b int)")
		x.Type(harness.KeyCtrlW)
		x.SeeMatch(`/ func +2/2`)
		x.Type(harness.KeyCtrlC)
		x.See("y copy", "┃It adds.")
		x.Type("n")
		x.See("┃grep return a", "func Add(a, b int)")
		x.Type("N")
		x.See("┃It adds.")
		x.Type(harness.KeyCtrlF)
		x.See("search the session")
		x.Type(harness.KeyEsc)
		x.See("y copy")
		x.Type(harness.KeyEsc)
		x.See("? keys")
		require.Equal(t, 0, x.Quit())
	})
}

func TestTheMouseOpensWhatItClicksOn(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		release := make(chan struct{})
		script := oneDig(digging("I begin to dig.", release, " Stone."), "Stone, it says: https://example.com/dig?deep=1")
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			if h.Asked("send one") {
				return aLongRead(h)
			}
			return script(h)
		})
		x := s.Open(t)
		x.Prompt("send one")
		x.See("It is on its way", "I begin to dig.")
		x.SeeNot("esc stops") // the line of what goes on leaves its row to the conversation
		x.Type("half a line")
		mouseOn(x, leftButton, "a line")
		x.Type("not ")
		x.See("half not a line")
		mouseOn(x, leftButton, "grep return a")
		x.See("func Add(a, b int)")
		mouseOn(x, leftButton, "grep return a")
		x.SeeNot("func Add(a, b int)")
		mouseOn(x, wheelUp, "grep return a")
		mouseOn(x, wheelUp, "item-50")
		x.See("ctrl+end newest")
		mouseOn(x, wheelDown, "item-50")
		mouseOn(x, wheelDown, "item-50")
		x.See("It is on its way")
		x.SeeNot("ctrl+end") // both turns of the wheel are drawn, and the line stays where it is
		mouseOn(x, leftButton, "a dig ·")
		x.See("dig to the bottom", "← a dig")
		close(release)
		x.See("I begin to dig. Stone.")
		x.Type(harness.KeyLeft)
		x.See("half not a line", "Stone, it says")
		require.Contains(t, x.Raw(), "\x1b]8;;https://example.com/dig?deep=1", "a link")
		x.Type(harness.KeyCtrlUp, harness.KeyUp, harness.KeyUp, harness.KeyUp)
		x.See("┃general a dig")
		x.Type(harness.KeyEnter)
		x.See("dig to the bottom", "← a dig")
		x.Type(harness.KeyLeft)
		x.See("half not a line")
		require.Equal(t, 0, x.Quit())
	})
}
