package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// shellCalls is how many commands a model has asked for.
func shellCalls(h modeltest.Request) int {
	n := 0
	for _, m := range h.Messages {
		for _, c := range m.Calls {
			if c.Name == "shell" {
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
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch n := shellCalls(h); {
		case h.Child("look") && n == 0:
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "git add --update && git add --all"}))
		case h.Child("look"):
			return modeltest.Say("I have looked.")
		case h.Asked("again"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "git add --verbose ."}))
		case n == 0:
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "git add --all --dry-run"}))
		case n == 1 && strings.Contains(h.Messages[0].Text, "go on"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "git add -u"}), modeltest.Use("task", modeltest.Object{"prompt": "look"}))
		}
		return modeltest.Say("All seen.")
	})
	x := s.Open(t)
	x.Prompt("go on")
	x.See("p permanently allow shell(git add *)", "git add --all --dry-run")
	x.SeeNot("pause to answer")
	x.Type("p")
	x.See("Always allow this", "shell(git add *)", "allowed.toml")
	x.Type(harness.KeyEsc)
	x.See("wants to use shell")
	x.Type("!")
	x.See("Always allow this")
	x.Type("y")
	x.See("All seen.")
	for _, h := range append(s.Server.All(modeltest.FromChild("look")), s.Server.Await(t, modeltest.ParentTold("task"))) {
		for _, result := range h.ResultsOf("shell") {
			require.NotContains(t, result, "Denied")
		}
	}
	require.Equal(t, 0, x.Quit())

	x = s.Open(t)
	x.Prompt("again")
	x.See("All seen.")
	require.Equal(t, 0, x.Quit())
	text, d := examined(t, s, 0)
	require.Contains(t, d.finding(t, "Permissions", "always").Says, "1 rule of this folder, 1 in all")
	require.Contains(t, text, "shell(git add *)")

	require.NoError(t, os.Remove(filepath.Join(s.Home, "state", "allowed.toml")))
	x = s.Open(t)
	x.Prompt("again")
	x.See("wants to use shell")
	x.SeeNot("pause to answer")
	x.Type(harness.KeyEsc)
	x.See("All seen.")
	require.Equal(t, 0, x.Quit())
}

// Four ask at once: each is shown before any is answered, and a no carries its reason
// to the model.
func TestQuestionsThatWaitAreWalkedThroughAndANoSaysWhy(t *testing.T) {
	t.Parallel()
	first := make(chan struct{}) // the others ask once its question is in front
	long := map[string]string{"one": strings.Repeat("\n# and so on", 40) + "\n# the end"}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		for _, name := range []string{"one", "two", "three", "four"} {
			switch n := shellCalls(h); {
			case !h.Child(name):
			case n == 0 && name != "one":
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch " + name + ".txt"})).Until(first)
			case n == 0, n == 1 && name != "one":
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch " + name + strings.Repeat("x", n) + ".txt" + long[name]}))
			default:
				return modeltest.Say("That was that.")
			}
		}
		if h.Answered("agent") {
			return modeltest.Say("All four are back.")
		}
		return modeltest.Do(modeltest.Delegate("the first", "one"), modeltest.Delegate("the second", "two"), modeltest.Delegate("the third", "three"), modeltest.Delegate("the fourth", "four"))
	})
	x := s.Open(t)
	x.Prompt("go on")
	x.See("the first wants to use shell")
	close(first)
	x.See("1 of 4", "the first wants to use shell", "tab the next")
	x.Answer(harness.KeyTab)
	x.See("2 of 4", "touch two.txt")
	x.Type(harness.KeyTab)
	x.See("3 of 4", "touch three.txt")
	x.Type(harness.KeyShiftTab)
	x.See("2 of 4")
	x.Type(harness.KeyShiftTab)
	x.See("1 of 4", "touch one.txt", "more lines, pgdn")
	x.Type(harness.KeyPgDown, harness.KeyPgDown, harness.KeyPgDown, harness.KeyPgDown)
	x.See("# the end")
	x.Type(harness.KeyPgUp, harness.KeyPgUp, harness.KeyPgUp, harness.KeyPgUp, harness.KeyDown)
	x.SeeNot("  touch one.txt")
	x.Type(harness.KeyUp, harness.KeyCtrlO)
	x.See("  touch one.txt")

	x.SeeNot("pause to answer")
	x.Type("r")
	x.See("enter deny with this reason")
	x.Type("no", harness.KeyEsc)
	x.See("y once")
	x.Answer("N")
	x.See("reason, or what to do instead")
	x.Type(harness.KeyCtrlY, ", use the yard", harness.KeyPgDown, harness.KeyPgUp, harness.KeyEnter)
	x.See("1 of 3", "▲ the second wants to use shell")
	x.AnswerWide("a")
	x.See("▲ the third wants to use shell")
	x.AnswerWide("s")
	x.See("▲ the fourth wants to use shell", "  touch four.txt")
	x.Answer("n")
	x.See("▲ the fourth wants to use shell", "  touch fourx.txt")
	x.Answer("r")
	x.See("reason, or what to do instead")
	x.Type(harness.KeyCtrlC)
	x.See("All four are back.")
	for file, made := range map[string]bool{"one": false, "two": true, "twox": true, "three": true, "threex": true, "four": false, "fourx": false} {
		_, err := os.Stat(filepath.Join(s.Dir, file+".txt"))
		require.Equal(t, made, err == nil, file)
	}
	told := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("one") && h.Answered("shell") })
	require.Contains(t, told.ResultsOf("shell")[0], "the user said no to this call, and wrote: no, use the yard\n")
	require.Equal(t, "canceled_by_user", harness.Tellings(t, s.Server.Await(t, modeltest.ParentTold("agent")))[3].Status)
	require.Equal(t, 0, x.Quit())
}
