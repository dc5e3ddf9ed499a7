package stories

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// bracketed is a paste, as a terminal sends it.
func bracketed(text string) string { return "\x1b[200~" + text + "\x1b[201~" }

// line waits until the composer holds this text alone.
func (x *terminal) line(text string) {
	x.t.Helper()
	x.waitFor(fmt.Sprintf("the line %q", text), func(screen string) bool { return strings.Contains(screen, "\n› "+text+"\n") })
}

func TestTheLineHasTheKeysOfReadline(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("never asked") })
	x := s.open(t)
	x.see("show all keys")
	x.type_("one two three")
	x.type_(keyCtrlA, "1", keyCtrlE, "2", keyHome, "3", keyEnd, "4")
	x.line("31one two three24")
	x.type_(keyAltB, "5", keyAltF, "6", keyLeft, "7", keyRight, "8")
	x.line("31one two 5three24768")
	x.type_(keyAltLeft, keyCtrlLeft, "l", keyAltRight, keyCtrlRight, "r")
	x.line("31one ltwo 5three24768r")
	x.type_(keyCtrlB, "b", keyCtrlF, "f", keyCtrlH, keyBackspace, keyCtrlA, keyDelete, keyCtrlD)
	x.line("one ltwo 5three24768b")
	x.type_(keyAltU, keyAltC, keyAltL)
	x.line("ONE Ltwo 5three24768b")
	x.type_(keyCtrlW, "3")
	x.line("ONE Ltwo 3")
	x.type_(keyAltBackspace, "t-w", keyAltBackspace, keyCtrlA, keyAltD)
	x.line(" Ltwo t-")
	x.type_(keyCtrlY)
	x.line("ONE Ltwo t-")
	x.type_(keyAltY)
	x.line("w Ltwo t-")
	x.type_(keyAltDelete, "x", keyCtrlDelete)
	x.line("wx-")
	x.type_(keyAltLess, "a", keyAltGreater, "z", keyAltLess, keyRight, keyCtrlK)
	x.line("a")
	x.type_(keyAltShiftPeriod, "bc de", keyAltShiftComma, "1")
	x.line("1abc de")
	x.type_(keyEnd, keyCtrlBackspace, keyShiftBackspace, keyAltCtrlH)
	x.see("Ask Pawl anything")
	x.type_(keyCtrlSlash, keyCtrlShiftMinus, "!")
	x.line("1abc !")
	x.type_(keyEnd, keyCtrlW, keyCtrlU, "a", keyCtrlU)
	x.see("Ask Pawl anything")
	x.type_(keyCtrlUnderscore)
	x.line("a")
	x.type_(keyEsc)
	x.see("ctrl+y restores it")
	require.Equal(t, 0, x.quit())
	require.Empty(t, s.server.all(fromParent))
}

func TestALongPasteOutlivesACrashAndIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply { return say("I have read it.") })
	x := s.open(t)
	x.see("show all keys")
	const clears = "\x1b[2J" // a screen
	var log strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&log, "%d: something went %swrong\n", i, clears)
	}
	x.type_("why ", bracketed(log.String()), "?")
	x.line("why [paste 1: 10,000 lines]?")
	x.type_(keyLeft, keyCtrlO)
	x.see("9998: something went wrong", " of 10,001 lines ")
	x.type_(keyCtrlO)
	x.line("why [paste 1: 10,000 lines]?")
	whole := "why " + strings.ReplaceAll(log.String(), clears, "") + "?"
	s.awaitDraft(t, whole)
	x.crash()

	x = s.open(t)
	x.line("[paste 1: 10,001 lines]")
	x.type_(keyEnter)
	h := s.server.await(t, fromParent)
	require.Equal(t, whole, h.messages[0].text)
	x.see("I have read it.")
	x.rest()
	x.type_("a second prompt", keyEnter)
	s.server.await(t, parentAsked("a second prompt"))
	x.rest()
	x.type_("half a thought", keyCtrlR)
	x.see("2 of 2 earlier prompts", "› a second prompt")
	x.type_(keyCtrlR)
	x.see("› why 0: something")
	x.type_(keyUp)
	x.see("› a second prompt")
	x.type_(keyDown, keyCtrlS, keyCtrlN)
	x.see("› why 0: something")
	x.type_(keyCtrlP)
	x.see("› a second prompt")
	x.type_("zz z", keyBackspace, keyCtrlH, keyAltBackspace)
	x.see("2 of 2 earlier prompts")
	x.type_("went wr", keyCtrlW)
	x.see("1 of 2 earlier prompts", "search: went")
	x.type_(keyEsc)
	x.line("half a thought")
	x.type_(keyCtrlR, "q", keyCtrlU, "secnd", keyEnter)
	x.line("a second prompt")
	require.Len(t, s.server.all(fromParent), 2, "what is found is not sent")
	x.type_(keyCtrlR, "why", keyTab)
	x.line("[paste 1: 10,001 lines]")
	x.type_(keyCtrlR, keyCtrlG, keyCtrlR, keyCtrlC, keyCtrlR, keyRight)
	x.line("a second prompt")
	require.Equal(t, 0, x.quit())
}

// anEditor is a program that shows that the terminal is its own: it asks there what
// it is to do.
const anEditor = `#!/bin/sh
[ "$1" = --wait ] || exit 9
echo "editing $(cat "$2") $(stat -c %a "$2")"
read -r words
case "$words" in
fail) exit 3 ;;
lose) rm "$2" ;;
*) printf '%s\n' "$words" >>"$2" ;;
esac
`

func TestCtrlGWritesInTheUsersEditorWhileWorkGoesOn(t *testing.T) {
	t.Parallel()
	dug := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig") && h.asked("and wider"):
			return say("It is wide.")
		case h.child("dig"):
			return say("The bottom ").until(dug, "is stone.")
		case len(h.notices()) > 0:
			return say("It is dug.")
		case h.answered("agent"):
			return say("It is on its way.")
		}
		return do(launch("a dig", "dig to the bottom"))
	})
	editor := filepath.Join(t.TempDir(), "my editor")
	require.NoError(t, os.WriteFile(editor, []byte(anEditor), 0o700))
	x := s.with("VISUAL='"+editor+"' --wait", "EDITOR=false").open(t)
	x.prompt("send one")
	x.see("It is on its way.")
	x.rest()
	x.type_("first", keyCtrlG)
	x.see("editing first 600")
	close(dug)
	s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) > 0 }) // woken behind the editor
	x.type_("second\n")
	x.see("It is dug.", "› first\n  second\n")
	for i, c := range [][2]string{{"fail\n", "your editor ended with exit code 3"}, {"lose\n", "no such file"}, {keyCtrlC, "interrupt"}} {
		x.type_(keyCtrlG)
		x.waitFor("the editor, again", func(screen string) bool { return strings.Count(screen, "editing first") == i+2 })
		x.type_(c[0])
		x.see("› first\n  second\n", "the line is unchanged: ", c[1])
	}
	x.type_(keyCtrlU, keyTab)
	x.see(`Message "a dig"`)
	x.type_("dig deeper", keyCtrlG)
	x.see("editing dig deeper")
	x.type_("and wider\n")
	x.see("› dig deeper\n  and wider\n")
	x.type_(keyEnter)
	h := s.server.await(t, func(h heard) bool { return h.child("dig") && h.asked("and wider") })
	require.Equal(t, "dig deeper\nand wider", h.messages[len(h.messages)-1].text)
	left, err := filepath.Glob(filepath.Join(s.home, "*", "editor-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	x.see("It is wide.")
	x.type_(keyLeft)
	x.see("send one")
	x.type_(keyCtrlU, keyCtrlH, keyCtrlU)
	x.see("held back until you write")
	require.Equal(t, 0, x.quit())
}

// awaitDraft waits until what is typed to the parent is kept.
func (s *stage) awaitDraft(t *testing.T, text string) {
	t.Helper()
	database := s.direct(t)
	require.Eventually(t, func() bool {
		var kept string
		err := database.QueryRow(`SELECT value FROM facts WHERE name = ?`, "draft:"+s.dir).Scan(&kept)
		return err == nil && kept == text
	}, patience, 20*time.Millisecond)
}
