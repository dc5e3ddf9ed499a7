package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every answer has a number. What is wider than its call says so, takes a second press,
// stands on the screen while it is in force, and is taken back in /permissions.
func TestAWideGrantIsSeenWhileItHoldsAndRevoked(t *testing.T) {
	t.Parallel()
	made := []string{"one", "two", "three", "four", "five"}
	s := set(t, anthropicProtocol(), func(h heard) reply {
		n := h.shellCalls()
		switch {
		case n > len(made):
			return say("That was not to be.")
		case n == len(made) && h.asked("again"):
			return do(use("shell", object{"command": "touch six.txt && touch seven.txt"}))
		}
		if n < len(made) {
			return do(use("shell", object{"command": "touch " + made[n] + ".txt && git status --short"}))
		}
		return say("All done.")
	})
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(s.dir, name+".txt"))
		return err == nil
	}
	x := s.open(t)
	x.prompt("go on")
	x.see("  touch one.txt", "1 y once", "2 a all shell commands until this turn ends", "3 s until you quit", "4 p permanently allow", "›5 n no", "6 r refuse")
	x.answer("4")
	x.see("Always allow this", "› back to the question")
	x.type_(keyEsc)
	x.see("›5 n no")
	x.type_("6")
	x.see("reason, or what to do instead")
	x.type_(keyEsc)
	x.see("›5 n no")
	x.type_("2")
	x.see("2 again allows every shell command until this turn ends")
	x.type_(keyRight)
	x.see("›6 r refuse")
	x.type_(keyLeft, keyLeft, keyLeft, keyLeft, keyLeft)
	x.see("›1 y once")
	x.type_(keyEnter)
	x.see("  touch two.txt")
	x.answer("5")
	x.see("  touch three.txt")
	x.answer("1")
	x.see("  touch four.txt")
	x.answerWide("3")
	x.see("All done.", "allowed, with every shell command until you quit", "· all shell commands allowed")
	require.Equal(t, []bool{true, false, true, true, true}, []bool{there("one"), there("two"), there("three"), there("four"), there("five")})
	x.rest()
	x.type_("/permissions", keyEnter)
	x.see("allow every shell command until you quit", "enter revokes it")
	x.type_("every shell", keyEnter)
	x.see("revoked; Pawl asks again: every shell command until you quit")
	x.seeNot("all shell commands allowed")
	x.prompt("again")
	x.see("wants to use shell", "  touch six.txt")
	x.type_(keyEsc)
	x.see("That was not to be.")
	require.False(t, there("six"))
	require.Equal(t, 0, x.quit())
}

// A sentence that begins with the key of what is in front is a sentence.
func TestASentenceStopsAllowsAndQuitsNothing(t *testing.T) {
	t.Parallel()
	one, two := make(chan struct{}), make(chan struct{})
	s := set(t, chatProtocol(), twoLooks(one, two))
	x := s.open(t)
	x.prompt("send two")
	x.see("They are on their way.", "One has", "Two has")
	x.rest()
	says := func(text string) {
		x.type_(text)
		x.see("› " + text)
		x.type_(keyCtrlU)
		x.see("› Ask Pawl anything")
	}
	x.type_(keyDown)
	x.see("enter open · m message · x x stop", "· Ask Pawl anything") // the line has no focus, and does not look as if it had
	says("x-ray the tests")
	x.type_(keyDown)
	x.see("· Ask Pawl anything")
	says("make it so")
	x.type_(keyCtrlX)
	x.see("› cancel")
	says("xyz and stay")
	x.type_(keyCtrlC)
	x.see("again")
	x.type_(keyCtrlC)
	x.see("Quit while 2 runs go on?", "› cancel")
	says("stay here")
	x.type_(keyCtrlC)
	x.see("again")
	x.type_(keyCtrlC)
	x.see("Quit while 2 runs go on?", "› cancel")
	x.type_("\x1b[200~x marks the spot\x1b[201~")
	x.see("› x marks the spot")
	x.type_(keyCtrlU)
	s.server.requireOpen(t, fromChild("look at one"))
	s.server.requireOpen(t, fromChild("look at two"))
	x.type_(keyDown)
	x.stopCard()
	requireOneStopped(t, s, x)
	close(one)
	close(two)
	require.Equal(t, 0, x.idle().quit())
}
