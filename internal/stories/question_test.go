package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shellCalls is how many commands a model has asked for.
func (h heard) shellCalls() int {
	n := 0
	for _, m := range h.messages {
		for _, c := range m.calls {
			if c.name == "shell" {
				n++
			}
		}
	}
	return n
}

// An answer for always is a rule: for the next command of its kind, for a subagent in a
// process of its own, and for the next Pawl in this folder, until it is taken back.
func TestAnAnswerForAlwaysHoldsFromThenOn(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch n := h.shellCalls(); {
		case h.child("look") && n == 0:
			return do(use("shell", object{"command": "git add --update && git add --all"}))
		case h.child("look"):
			return say("I have looked.")
		case h.asked("again"):
			return do(use("shell", object{"command": "git add --verbose ."}))
		case n == 0:
			return do(use("shell", object{"command": "git add --all --dry-run"}))
		case n == 1 && strings.Contains(h.messages[0].text, "go on"):
			return do(use("shell", object{"command": "git add -u"}), use("task", object{"prompt": "look"}))
		}
		return say("All seen.")
	})
	x := s.open(t)
	x.prompt("go on")
	x.see("p permanently allow shell(git add *)", "git add --all --dry-run")
	x.seeNot("pause to answer")
	x.type_("p")
	x.see("Always allow this", "shell(git add *)", "allowed.toml")
	x.type_(keyEsc)
	x.see("wants to use shell")
	x.type_("!")
	x.see("Always allow this")
	x.type_("y")
	x.see("All seen.")
	for _, h := range append(s.server.all(fromChild("look")), s.server.await(t, parentTold("task"))) {
		for _, result := range h.resultsOf("shell") {
			require.NotContains(t, result, "Denied")
		}
	}
	require.Equal(t, 0, x.quit())

	x = s.open(t)
	x.prompt("again")
	x.see("All seen.")
	require.Equal(t, 0, x.quit())
	text, d := s.examined(t, 0)
	require.Contains(t, d.finding(t, "Permissions", "always").Says, "1 rule of this folder, 1 in all")
	require.Contains(t, text, "shell(git add *)")

	require.NoError(t, os.Remove(filepath.Join(s.home, "state", "allowed.toml")))
	x = s.open(t)
	x.prompt("again")
	x.see("wants to use shell")
	x.seeNot("pause to answer")
	x.type_(keyEsc)
	x.see("All seen.")
	require.Equal(t, 0, x.quit())
}

// Four ask at once: each is shown before any is answered, and a no carries its reason
// to the model.
func TestQuestionsThatWaitAreWalkedThroughAndANoSaysWhy(t *testing.T) {
	t.Parallel()
	first := make(chan struct{}) // the others ask once its question is in front
	long := map[string]string{"one": strings.Repeat("\n# and so on", 40) + "\n# the end"}
	s := set(t, anthropicProtocol(), func(h heard) reply {
		for _, name := range []string{"one", "two", "three", "four"} {
			switch n := h.shellCalls(); {
			case !h.child(name):
			case n == 0 && name != "one":
				return do(use("shell", object{"command": "touch " + name + ".txt"})).until(first)
			case n == 0, n == 1 && name != "one":
				return do(use("shell", object{"command": "touch " + name + strings.Repeat("x", n) + ".txt" + long[name]}))
			default:
				return say("That was that.")
			}
		}
		if h.answered("agent") {
			return say("All four are back.")
		}
		return do(delegate("the first", "one"), delegate("the second", "two"), delegate("the third", "three"), delegate("the fourth", "four"))
	})
	x := s.open(t)
	x.prompt("go on")
	x.see("the first wants to use shell")
	close(first)
	x.see("1 of 4", "the first wants to use shell", "tab the next")
	x.type_(keyTab)
	x.see("2 of 4", "touch two.txt")
	x.type_(keyTab)
	x.see("3 of 4", "touch three.txt")
	x.type_(keyShiftTab)
	x.see("2 of 4")
	x.type_(keyShiftTab)
	x.see("1 of 4", "touch one.txt", "more lines, pgdn")
	x.type_(keyPgDown, keyPgDown, keyPgDown, keyPgDown)
	x.see("# the end")
	x.type_(keyPgUp, keyPgUp, keyPgUp, keyPgUp, keyDown)
	x.seeNot("  touch one.txt")
	x.type_(keyUp, keyCtrlO)
	x.see("  touch one.txt")

	x.seeNot("pause to answer")
	x.type_("r")
	x.see("enter deny with this reason")
	x.type_("no", keyEsc)
	x.see("y once")
	x.answer("N")
	x.see("reason, or what to do instead")
	x.type_(keyCtrlY, ", use the yard", keyPgDown, keyPgUp, keyEnter)
	x.see("1 of 3", "▲ the second wants to use shell")
	x.answerWide("a")
	x.see("▲ the third wants to use shell")
	x.answerWide("s")
	x.see("▲ the fourth wants to use shell", "  touch four.txt")
	x.answer("n")
	x.see("▲ the fourth wants to use shell", "  touch fourx.txt")
	x.answer("r")
	x.see("reason, or what to do instead")
	x.type_(keyCtrlC)
	x.see("All four are back.")
	for file, made := range map[string]bool{"one": false, "two": true, "twox": true, "three": true, "threex": true, "four": false, "fourx": false} {
		_, err := os.Stat(filepath.Join(s.dir, file+".txt"))
		require.Equal(t, made, err == nil, file)
	}
	told := s.server.await(t, func(h heard) bool { return h.child("one") && h.answered("shell") })
	require.Contains(t, told.resultsOf("shell")[0], "the user said no to this call, and wrote: no, use the yard\n")
	require.Equal(t, "canceled_by_user", tellings(t, s.server.await(t, parentTold("agent")))[3].Status)
	require.Equal(t, 0, x.quit())
}
