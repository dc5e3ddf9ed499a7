package stories

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// bracketed is a paste, as a terminal sends it.
func bracketed(text string) string { return "\x1b[200~" + text + "\x1b[201~" }

// seeLine waits until the composer holds this text alone.
func seeLine(x *harness.Terminal, text string) {
	x.T.Helper()
	x.WaitFor(fmt.Sprintf("the line %q", text), func(screen string) bool { return strings.Contains(screen, "\n› "+text+"\n") })
}

func TestTheLineHasTheKeysOfReadline(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("never asked") })
	x := s.Open(t)
	x.See("show all keys")
	x.Type("one two three")
	x.Type(harness.KeyCtrlA, "1", harness.KeyCtrlE, "2", harness.KeyHome, "3", harness.KeyEnd, "4")
	seeLine(x, "31one two three24")
	x.Type(harness.KeyAltB, "5", harness.KeyAltF, "6", harness.KeyLeft, "7", harness.KeyRight, "8")
	seeLine(x, "31one two 5three24768")
	x.Type(harness.KeyAltLeft, harness.KeyCtrlLeft, "l", harness.KeyAltRight, harness.KeyCtrlRight, "r")
	seeLine(x, "31one ltwo 5three24768r")
	x.Type(harness.KeyCtrlB, "b", harness.KeyCtrlF, "f", harness.KeyCtrlH, harness.KeyBackspace, harness.KeyCtrlA, harness.KeyDelete, harness.KeyCtrlD)
	seeLine(x, "one ltwo 5three24768b")
	x.Type(harness.KeyAltU, harness.KeyAltC, harness.KeyAltL)
	seeLine(x, "ONE Ltwo 5three24768b")
	x.Type(harness.KeyCtrlW, "3")
	seeLine(x, "ONE Ltwo 3")
	x.Type(harness.KeyAltBackspace, "t-w", harness.KeyAltBackspace, harness.KeyCtrlA, harness.KeyAltD)
	seeLine(x, " Ltwo t-")
	x.Type(harness.KeyCtrlY)
	seeLine(x, "ONE Ltwo t-")
	x.Type(harness.KeyAltY)
	seeLine(x, "w Ltwo t-")
	x.Type(harness.KeyAltDelete, "x", harness.KeyCtrlDelete)
	seeLine(x, "wx-")
	x.Type(harness.KeyAltLess, "a", harness.KeyAltGreater, "z", harness.KeyAltLess, harness.KeyRight, harness.KeyCtrlK)
	seeLine(x, "a")
	x.Type(harness.KeyAltShiftPeriod, "bc de", harness.KeyAltShiftComma, "1")
	seeLine(x, "1abc de")
	x.Type(harness.KeyEnd, harness.KeyCtrlBackspace, harness.KeyShiftBackspace, harness.KeyAltCtrlH)
	x.See("Ask Pawl anything")
	x.Type(harness.KeyCtrlSlash, harness.KeyCtrlShiftMinus, "!")
	seeLine(x, "1abc !")
	x.Type(harness.KeyEnd, harness.KeyCtrlW, harness.KeyCtrlU, "a", harness.KeyCtrlU)
	x.See("Ask Pawl anything")
	x.Type(harness.KeyCtrlUnderscore)
	seeLine(x, "a")
	x.Type(harness.KeyEsc)
	x.See("ctrl+y restores it")
	require.Equal(t, 0, x.Quit())
	require.Empty(t, s.Server.All(modeltest.FromParent))
}

func TestALongPasteOutlivesACrashAndIsFoundAgain(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply { return modeltest.Say("I have read it.") })
	x := s.Open(t)
	x.See("show all keys")
	const clears = "\x1b[2J" // a screen
	var log strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&log, "%d: something went %swrong\n", i, clears)
	}
	x.Type("why ", bracketed(log.String()), "?")
	seeLine(x, "why [paste 1: 10,000 lines]?")
	x.Type(harness.KeyLeft, harness.KeyCtrlO)
	x.See("9998: something went wrong", " of 10,001 lines ")
	x.Type(harness.KeyCtrlO)
	seeLine(x, "why [paste 1: 10,000 lines]?")
	whole := "why " + strings.ReplaceAll(log.String(), clears, "") + "?"
	awaitDraft(t, s, whole)
	x.Crash()

	x = s.Open(t)
	seeLine(x, "[paste 1: 10,001 lines]")
	x.Type(harness.KeyEnter)
	h := s.Server.Await(t, modeltest.FromParent)
	require.Equal(t, whole, h.Messages[0].Text)
	x.See("I have read it.")
	x.Rest()
	x.Type("a second prompt", harness.KeyEnter)
	s.Server.Await(t, modeltest.ParentAsked("a second prompt"))
	x.Rest()
	x.Type("half a thought", harness.KeyCtrlR)
	x.See("2 of 2 earlier prompts", "› a second prompt")
	x.Type(harness.KeyCtrlR)
	x.See("› why 0: something")
	x.Type(harness.KeyUp)
	x.See("› a second prompt")
	x.Type(harness.KeyDown, harness.KeyCtrlS, harness.KeyCtrlN)
	x.See("› why 0: something")
	x.Type(harness.KeyCtrlP)
	x.See("› a second prompt")
	x.Type("zz z", harness.KeyBackspace, harness.KeyCtrlH, harness.KeyAltBackspace)
	x.See("2 of 2 earlier prompts")
	x.Type("went wr", harness.KeyCtrlW)
	x.See("1 of 2 earlier prompts", "search: went")
	x.Type(harness.KeyEsc)
	seeLine(x, "half a thought")
	x.Type(harness.KeyCtrlR, "q", harness.KeyCtrlU, "secnd", harness.KeyEnter)
	seeLine(x, "a second prompt")
	require.Len(t, s.Server.All(modeltest.FromParent), 2, "what is found is not sent")
	x.Type(harness.KeyCtrlR, "why", harness.KeyTab)
	seeLine(x, "[paste 1: 10,001 lines]")
	x.Type(harness.KeyCtrlR, harness.KeyCtrlG, harness.KeyCtrlR, harness.KeyCtrlC, harness.KeyCtrlR, harness.KeyRight)
	seeLine(x, "a second prompt")
	require.Equal(t, 0, x.Quit())
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
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(func(h modeltest.Request) modeltest.Reply {
		if h.Asked("and wider") {
			return modeltest.Say("It is wide.")
		}
		return digging("The bottom ", dug, "is stone.")(h)
	}, "It is dug."))
	editor := filepath.Join(t.TempDir(), "my editor")
	require.NoError(t, os.WriteFile(editor, []byte(anEditor), 0o700))
	x := s.With("VISUAL='"+editor+"' --wait", "EDITOR=false").Open(t)
	x.Prompt("send one")
	x.See("It is on its way.")
	x.Rest()
	x.Type("first", harness.KeyCtrlG)
	x.See("editing first 600")
	close(dug)
	s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) > 0 }) // woken behind the editor
	x.Type("second\n")
	x.See("It is dug.", "› first\n  second\n")
	for i, c := range [][2]string{{"fail\n", "your editor ended with exit code 3"}, {"lose\n", "no such file"}, {harness.KeyCtrlC, "interrupt"}} {
		x.Type(harness.KeyCtrlG)
		x.WaitFor("the editor, again", func(screen string) bool { return strings.Count(screen, "editing first") == i+2 })
		x.Type(c[0])
		x.See("› first\n  second\n", "the line is unchanged: ", c[1])
	}
	x.Type(harness.KeyCtrlU, harness.KeyTab)
	x.See(`Message "a dig"`)
	x.Type("dig deeper", harness.KeyCtrlG)
	x.See("editing dig deeper")
	x.Type("and wider\n")
	x.See("› dig deeper\n  and wider\n")
	x.Type(harness.KeyEnter)
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("dig") && h.Asked("and wider") })
	require.Equal(t, "dig deeper\nand wider", h.Messages[len(h.Messages)-1].Text)
	left, err := filepath.Glob(filepath.Join(s.Home, "*", "editor-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	x.See("It is wide.")
	x.Type(harness.KeyLeft)
	x.See("send one")
	x.Type(harness.KeyCtrlU, harness.KeyCtrlH, harness.KeyCtrlU)
	x.See("held back until you write")
	require.Equal(t, 0, x.Quit())
}

// awaitDraft waits until what is typed to the parent is kept.
func awaitDraft(t *testing.T, s *harness.Stage, text string) {
	t.Helper()
	database := openDatabase(t, s)
	require.Eventually(t, func() bool {
		var kept string
		err := database.QueryRow(`SELECT value FROM facts WHERE name = ?`, "draft:"+s.Dir).Scan(&kept)
		return err == nil && kept == text
	}, modeltest.Patience, 20*time.Millisecond)
}
