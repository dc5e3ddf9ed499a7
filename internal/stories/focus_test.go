package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// Every answer has a number. What is wider than its call says so, takes a second press,
// stands on the screen while it is in force, and is taken back in /permissions.
func TestAWideGrantIsSeenWhileItHoldsAndRevoked(t *testing.T) {
	t.Parallel()
	made := []string{"one", "two", "three", "four", "five"}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		n := shellCalls(h)
		switch {
		case n > len(made):
			return modeltest.Say("That was not to be.")
		case n == len(made) && h.Asked("again"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch six.txt && touch seven.txt"}))
		}
		if n < len(made) {
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch " + made[n] + ".txt && git status --short"}))
		}
		return modeltest.Say("All done.")
	})
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(s.Dir, name+".txt"))
		return err == nil
	}
	x := s.Open(t)
	x.Prompt("go on")
	x.See("  touch one.txt", "1 y once", "2 a all shell commands until this turn ends", "3 s until you quit", "4 p permanently allow", "›5 n no", "6 r refuse")
	x.Answer("4")
	x.See("Always allow this", "› 2 esc  back to the question")
	x.Type(harness.KeyEsc)
	x.See("›5 n no")
	x.Type("6")
	x.See("reason, or what to do instead")
	x.Type(harness.KeyEsc)
	x.See("›5 n no")
	x.Type("2")
	x.See("2 again allows every shell command until this turn ends")
	x.Type(harness.KeyRight)
	x.See("›6 r refuse")
	x.Type(harness.KeyLeft, harness.KeyLeft, harness.KeyLeft, harness.KeyLeft, harness.KeyLeft)
	x.See("›1 y once")
	x.Type(harness.KeyEnter)
	x.See("  touch two.txt")
	x.Answer("5")
	x.See("  touch three.txt")
	x.Answer("1")
	x.See("  touch four.txt")
	x.AnswerWide("3")
	x.See("All done.", "allowed, with every shell command until you quit", "· all shell commands allowed")
	require.Equal(t, []bool{true, false, true, true, true}, []bool{there("one"), there("two"), there("three"), there("four"), there("five")})
	x.Rest()
	x.Type("/permissions", harness.KeyEnter)
	x.See("allow every shell command until you quit", "enter revokes it")
	x.Type("every shell", harness.KeyEnter)
	x.See("revoked; Pawl asks again: every shell command until you quit")
	x.SeeNot("all shell commands allowed")
	x.Prompt("again")
	x.See("wants to use shell", "  touch six.txt")
	x.Type(harness.KeyEsc)
	x.See("That was not to be.")
	require.False(t, there("six"))
	require.Equal(t, 0, x.Quit())
}

// A sentence that begins with the key of what is in front is a sentence.
func TestASentenceStopsAllowsAndQuitsNothing(t *testing.T) {
	t.Parallel()
	s, x, one, two := twoAtWork(t, modeltest.Chat())
	x.Rest()
	says := func(text string) {
		x.Type(text)
		x.See("› " + text)
		x.Type(harness.KeyCtrlU)
		x.See("› Ask Pawl anything")
	}
	x.Type(harness.KeyDown)
	x.See("enter open · m message · x x stop", "· Ask Pawl anything") // the line has no focus, and does not look as if it had
	says("x-ray the tests")
	x.Type(harness.KeyDown)
	x.See("· Ask Pawl anything")
	says("make it so")
	x.Type(harness.KeyCtrlX)
	x.See("› 2 esc  cancel")
	says("xyz and stay")
	x.Type(harness.KeyCtrlC)
	x.See("again")
	x.Type(harness.KeyCtrlC)
	x.See("Quit while 2 runs go on?", "› 4 esc  cancel")
	says("stay here")
	x.Type(harness.KeyCtrlC)
	x.See("again")
	x.Type(harness.KeyCtrlC)
	x.See("Quit while 2 runs go on?", "› 4 esc  cancel")
	x.Type("\x1b[200~x marks the spot\x1b[201~")
	x.See("› x marks the spot")
	x.Type(harness.KeyCtrlU)
	s.Server.RequireOpen(t, modeltest.FromChild("look at one"))
	s.Server.RequireOpen(t, modeltest.FromChild("look at two"))
	x.Type(harness.KeyDown)
	x.StopCard()
	requireOneStopped(t, s, x)
	close(one)
	close(two)
	require.Equal(t, 0, idle(x).Quit())
}
