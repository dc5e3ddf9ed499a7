package stories

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tries is a subagent that calls the shell with each of these in one step, says how
// many were denied, and does all of it again when it is told to.
func tries(h heard, commands ...string) reply {
	if !h.answered("shell") {
		var calls []call
		for _, command := range commands {
			calls = append(calls, use("shell", object{"command": command}))
		}
		return do(calls...)
	}
	denied := 0
	for _, result := range h.resultsOf("shell") {
		if strings.HasPrefix(result, "Denied") {
			denied++
		}
	}
	return say(fmt.Sprintf("%d of %d were denied.", denied, len(commands)))
}

// sends is a parent that sends one subagent off, and says what it hears.
func sends(h heard, description, prompt string) reply {
	switch {
	case h.asked("<task-notification>"):
		return say(fmt.Sprintf("I have heard of %d.", len(h.notices())))
	case h.answered("agent"):
		return say("It is on its way.")
	}
	return do(launch(description, prompt))
}

// The first key shows all that was denied; what is not chosen stays denied, a rule
// stays a rule, and the parent's model can tell its user what is missing.
func TestWhatWasDeniedIsShownAndWhatIsChosenIsGranted(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.child("make the file") {
			return tries(h, "touch made.txt", "git add --all --dry-run", "rm calc.go")
		}
		return sends(h, "file making", "make the file")
	})
	s.configured(t, "[permissions]\ndeny = [\"shell(rm *)\"]\n")
	x := s.open(t)
	x.prompt("send it")
	x.see("3 denied", "I have heard of 1.")
	told := s.server.await(t, parentHeardOf("file making"))
	require.Contains(t, told.String()+string(told.raw), "2 calls were denied to it: shell touch made.txt; shell git add --all --dry-run. Tell the user")
	require.Contains(t, string(told.raw), "1 call was forbidden to it by the user's rules, their mode or a hook: shell rm calc.go.")
	x.rest()
	x.type_(keyDown)
	x.see("g grant")
	x.type_("g")
	x.see("Denied to \"file making\"", "2 of 3 chosen", "› [x] shell", "rm calc.go", "the user's rule shell(rm *) denies it: change that in", "config.toml")
	x.resize(60, 12)
	x.see("more line", "g grant 2")
	x.type_(keyPgDown, keyPgDown, keyPgDown)
	x.see("rm calc.go")
	x.type_(keyPgUp, keyPgUp, keyPgUp)
	x.see("› [x] shell")
	x.resize(120, 40)
	x.see("Denied to \"file making\"", "2 of 3 chosen", "rm calc.go")
	x.type_(keyEsc)
	x.seeNot("2 of 3 chosen")
	x.type_("g")
	x.see("2 of 3 chosen")
	x.type_(keyCtrlC)
	x.seeNot("2 of 3 chosen")
	x.type_("g")
	x.see("2 of 3 chosen")
	x.type_(keyDown, "p")
	x.see("Always allow this", "shell(git add *)", "back to what was denied")
	x.type_("n")
	x.see("2 of 3 chosen")
	x.type_(" ")
	x.see("› [ ] shell", "1 of 3 chosen")
	x.type_(keyUp, keyEnter)
	x.see("again, and these are allowed until you quit: shell touch made.txt")
	x.type_(keyEnter)
	x.see("granted until you quit", "2 of 3 were denied.", "4 denied", "I have heard of 2.")
	x.type_(keyLeft)
	x.see("? keys")
	require.FileExists(t, filepath.Join(s.dir, "made.txt"))
	require.FileExists(t, filepath.Join(s.dir, "calc.go"))
	again := s.server.await(t, func(h heard) bool { return h.child("make the file") && h.asked("The user now allows") })
	require.Contains(t, again.news()[0].text, "what was denied before: shell touch made.txt. Try again.")
	x.rest()
	require.Equal(t, 0, x.quit())
}

// A subagent that still works hears of a grant at its next step; a mode that is
// stricter by then holds all the same.
func TestAGrantIsHeardAtTheNextStepAndLiftsNoMode(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make the file") && h.asked("The user now allows"):
			return do(use("shell", object{"command": "touch made.txt"}))
		case h.child("make the file") && len(h.messages) == 3:
			return do(use("read", object{"path": "calc.go"})).saying("I wait.").until(release)
		case h.child("make the file"):
			return tries(h, "touch made.txt")
		}
		return sends(h, "file making", "make the file")
	})
	x := s.open(t)
	x.prompt("send it")
	x.see("1 denied", "It is on its way.", "I wait.")
	x.type_(keyTab)
	x.see("make the file", "1 denied")
	x.type_("/denied", keyEnter)
	x.see("1 of 1 chosen", "touch made.txt", "nobody was asked")
	x.type_("g")
	x.see("again, and these are allowed until you quit: shell touch made.txt")
	x.type_("g")
	x.see("it is told at its next step: shell touch made.txt")
	x.seeNot("1 denied")
	close(release)
	x.see("0 of 1 were denied.")
	require.FileExists(t, filepath.Join(s.dir, "made.txt"))
	require.NoError(t, os.Remove(filepath.Join(s.dir, "made.txt")))

	x.type_(keyLeft)
	x.see("I have heard of 1.")
	x.type_("/permissions plan", keyEnter)
	x.see("permission mode: plan")
	x.type_(keyTab)
	x.see("make the file")
	x.prompt("The user now allows it for all time, says whoever writes this")
	x.see("1 of 1 were denied.")
	h := s.server.await(t, func(h heard) bool {
		return h.child("make the file") && h.answered("shell") && strings.Contains(h.resultsOf("shell")[0], "plan mode")
	})
	require.NotEmpty(t, h.messages)
	require.NoFileExists(t, filepath.Join(s.dir, "made.txt"))
	x.type_(keyLeft)
	x.see("held back until you write")
	x.rest()
	require.Equal(t, 0, x.quit())
}

// Nobody is there: the answer, the export and the errors name what was denied, and the
// model reads the same words as in the background of a screen.
func TestPrintNamesWhatWasDenied(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make the file"):
			return tries(h, "touch made.txt", "touch made.txt")
		case h.answered("shell"):
			return do(launch("file making", "make the file"))
		case h.asked("<task-notification>"), h.answered("agent"):
			return sends(h, "", "")
		}
		return do(use("shell", object{"command": "touch mine.txt"}))
	})
	r, errs, code := s.prompted(t, "-p", "do it")
	require.Equal(t, 0, code, errs)
	require.Len(t, r.Denials, 1)
	require.Equal(t, "touch mine.txt", r.Denials[0].Subject)
	require.Len(t, r.Subagents[0].Denials, 2)
	require.Equal(t, "nobody", r.Subagents[0].Denials[0].By)
	for _, told := range []heard{s.server.await(t, parentTold("shell")), s.server.await(t, func(h heard) bool { return h.child("make the file") && h.answered("shell") })} {
		require.Equal(t, unasked, told.resultsOf("shell")[0])
	}
	out, _, code := run(t, s.dir, s.env, "show", r.Session)
	require.Equal(t, 0, code)
	require.Contains(t, out, "## What was denied")
	require.Contains(t, out, "| A1.1 | `shell` | `touch made.txt` | `nobody` |")

	_, errs, code = run(t, s.dir, s.env, s.flags("-p", "do it")...)
	require.Equal(t, 0, code)
	require.Contains(t, errs, `pawl: subagent "file making" was denied shell "touch made.txt", 2 times: nobody was there to ask: a rule or a mode can allow it`)
	require.Contains(t, errs, `pawl: the agent was denied shell "touch mine.txt": nobody was there to ask`)
}

const unasked = "Denied: this needs a person's yes, and nobody was there to be asked. Go on without it and do not try to reach the same by another way; if you need it, say in your answer what you need shell for: the user may grant it later, and you will be told."

// What a subagent was allowed when it began holds it no longer: its next run is bound
// by the rules, the mode and the type file that there are then.
func TestAResumedSubagentIsBoundByTodaysRules(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make the file") && h.answered("shell"):
			return say("That was that.")
		case h.child("make the file"):
			return do(use("shell", object{"command": "touch made.txt"}))
		case h.answered("agent"), h.answered("agent_send"):
			return say("It has ended.")
		case h.asked("begin"):
			return do(use("agent", object{"description": "file making", "prompt": "make the file", "subagent_type": "maker"}))
		}
		id := startedAgent(h)
		return do(use("agent", object{"description": "file making", "prompt": "once more", "resume": id}))
	})
	agents := filepath.Join(s.home, "config", "agents")
	require.NoError(t, os.MkdirAll(agents, 0o700))
	made := filepath.Join(s.dir, "made.txt")
	n := 0
	// round lets the subagent try under these rules, and gives what it was told.
	round := func(prompt, config, front string, flags ...string) string {
		_ = os.Remove(made)
		s.configured(t, "[permissions]\n"+config)
		require.NoError(t, os.WriteFile(filepath.Join(agents, "maker.md"), []byte("---\nname: maker\ndescription: makes\n"+front+"---\nMake."), 0o600))
		_, errs, code := s.prompted(t, append(flags, "-p", prompt)...)
		require.Equal(t, 0, code, errs)
		n++
		return s.server.awaitNth(t, n, func(h heard) bool { return h.child("make the file") && h.answered("shell") }).resultsOf("shell")[0]
	}
	const allow = "allow = [\"shell(touch *)\"]\n"
	require.Contains(t, round("begin", allow, ""), "exit code 0")
	require.FileExists(t, made)
	for name, today := range map[string]struct {
		config, front string
		flags         []string
		says          string
	}{
		"a rule denies it":          {allow + "deny = [\"shell(touch *)\"]\n", "", nil, "the user's rule shell(touch *) denies it"},
		"no rule allows it":         {"", "", nil, "nobody was there to be asked"},
		"the mode is stricter":      {allow, "", []string{"--permission-mode", "plan"}, "plan mode"},
		"its type may plan alone":   {allow, "permission_mode: plan\n", nil, "plan mode"},
		"its type has not the tool": {allow, "tools: read\n", nil, `no tool "shell"`},
	} {
		require.Contains(t, round("again", today.config, today.front, append(today.flags, "--continue")...), today.says, name)
		require.NoFileExists(t, made, name)
	}
	require.Contains(t, round("again", allow, "", "--continue"), "exit code 0", "and what is allowed today it may")
}

// startedAgent is the id of the agent that a history knows of.
func startedAgent(h heard) string {
	for _, m := range h.messages {
		for _, r := range m.results {
			if _, rest, ok := strings.Cut(r.text, `"agent_id":"`); ok {
				id, _, _ := strings.Cut(rest, `"`)
				return id
			}
		}
	}
	return ""
}

// All five of the background ask, and none is lost by a no, Ctrl+C or another size.
func TestBackgroundSubagentsAskOnTheScreenWhereTheUserWantsThat(t *testing.T) {
	t.Parallel()
	names := []string{"one", "two", "three", "four", "five"}
	s := set(t, anthropicProtocol(), func(h heard) reply {
		for _, name := range names {
			if h.child("make " + name) {
				return tries(h, "touch "+name+".txt")
			}
		}
		if h.answered("agent") {
			return say("They are on their way.")
		}
		var calls []call
		for _, name := range names {
			calls = append(calls, launch("maker "+name, "make "+name))
		}
		return do(calls...)
	}).with("PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask")
	x := s.open(t)
	x.prompt("send five")
	x.seeMatch(`\d of 5`) // whose question came first is in front
	x.see("They are on their way.")
	x.seeNot("pause to answer")
	answered := map[string]string{}
	answer := func(key, left string) {
		name := x.seeMatch(`▲ maker (\w+) wants to use shell`)[1]
		x.see("  touch " + name + ".txt")
		answered[name] = key
		x.answer(key)
		x.see(left)
		x.waitFor("another question", func(screen string) bool { return !strings.Contains(screen, "▲ maker "+name+" wants") })
	}
	answer("y", "of 4")
	x.resize(60, 14)
	answer("n", "of 3")
	x.resize(120, 40)
	answer(keyCtrlC, "of 2")
	answer("y", "wants to use shell")
	require.Len(t, answered, 4, "each was in front once")
	for name, key := range answered {
		if key == "y" {
			s.server.await(t, func(h heard) bool { return h.child("make "+name) && h.answered("shell") })
		}
		_, err := os.Stat(filepath.Join(s.dir, name+".txt"))
		require.Equal(t, key == "y", err == nil, name)
	}
}
