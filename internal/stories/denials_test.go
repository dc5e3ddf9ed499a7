package stories

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// tries is a subagent that calls the shell with each of these in one step, says how
// many were denied, and does all of it again when it is told to.
func tries(h modeltest.Request, commands ...string) modeltest.Reply {
	if !h.Answered("shell") {
		var calls []modeltest.Call
		for _, command := range commands {
			calls = append(calls, modeltest.Use("shell", modeltest.Object{"command": command}))
		}
		return modeltest.Do(calls...)
	}
	denied := 0
	for _, result := range h.ResultsOf("shell") {
		if strings.HasPrefix(result, "Denied") {
			denied++
		}
	}
	return modeltest.Say(fmt.Sprintf("%d of %d were denied.", denied, len(commands)))
}

// sends is a parent that sends one subagent off, and says what it hears.
func sends(h modeltest.Request, description, prompt string) modeltest.Reply {
	switch {
	case h.Asked("<task-notification>"):
		return modeltest.Say(fmt.Sprintf("I have heard of %d.", len(h.Notices())))
	case h.Answered("agent"):
		return modeltest.Say("It is on its way.")
	}
	return modeltest.Do(modeltest.Launch(description, prompt))
}

// The first key shows all that was denied; what is not chosen stays denied, a rule
// stays a rule, and the parent's model can tell its user what is missing.
func TestWhatWasDeniedIsShownAndWhatIsChosenIsGranted(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Child("make the file") {
			return tries(h, "touch made.txt", "git add --all --dry-run", "rm calc.go")
		}
		return sends(h, "file making", "make the file")
	})
	s.Configured(t, "[permissions]\ndeny = [\"shell(rm *)\"]\n")
	x := s.Open(t)
	x.Prompt("send it")
	x.See("3 denied", "I have heard of 1.")
	told := s.Server.Await(t, parentHeardOf("file making"))
	require.Contains(t, told.String()+string(told.Raw), "2 calls were denied to it: shell touch made.txt; shell git add --all --dry-run. Tell the user")
	require.Contains(t, string(told.Raw), "1 call was forbidden to it by the user's rules, their mode or a hook: shell rm calc.go.")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("g grant")
	x.Type("g")
	x.See("Denied to \"file making\"", "2 of 3 chosen", "› [x] shell", "rm calc.go", "the user's rule shell(rm *) denies it: change that in", "config.toml")
	x.Resize(60, 12)
	x.See("more line", "g grant 2")
	x.Type(harness.KeyPgDown, harness.KeyPgDown, harness.KeyPgDown)
	x.See("rm calc.go")
	x.Type(harness.KeyPgUp, harness.KeyPgUp, harness.KeyPgUp)
	x.See("› [x] shell")
	x.Resize(120, 40)
	x.See("Denied to \"file making\"", "2 of 3 chosen", "rm calc.go")
	x.Type(harness.KeyEsc)
	x.SeeNot("2 of 3 chosen")
	x.Type("g")
	x.See("2 of 3 chosen")
	x.Type(harness.KeyCtrlC)
	x.SeeNot("2 of 3 chosen")
	x.Type("g")
	x.See("2 of 3 chosen")
	x.Type(harness.KeyDown, "p")
	x.See("Always allow this", "shell(git add *)", "back to what was denied")
	x.Type("n")
	x.See("2 of 3 chosen")
	x.Type(" ")
	x.See("› [ ] shell", "1 of 3 chosen")
	x.Type(harness.KeyUp, harness.KeyEnter)
	x.See("again, and these are allowed until you quit: shell touch made.txt")
	x.Type(harness.KeyEnter)
	x.See("granted until you quit", "2 of 3 were denied.", "4 denied", "I have heard of 2.")
	x.Type(harness.KeyLeft)
	x.See("? keys")
	require.FileExists(t, filepath.Join(s.Dir, "made.txt"))
	require.FileExists(t, filepath.Join(s.Dir, "calc.go"))
	again := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make the file") && h.Asked("The user now allows") })
	require.Contains(t, again.News()[0].Text, "what was denied before: shell touch made.txt. Try again.")
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

// A subagent that still works hears of a grant at its next step; a mode that is
// stricter by then holds all the same.
func TestAGrantIsHeardAtTheNextStepAndLiftsNoMode(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make the file") && h.Asked("The user now allows"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch made.txt"}))
		case h.Child("make the file") && len(h.Messages) == 3:
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Saying("I wait.").Until(release)
		case h.Child("make the file"):
			return tries(h, "touch made.txt")
		}
		return sends(h, "file making", "make the file")
	})
	x := s.Open(t)
	x.Prompt("send it")
	x.See("1 denied", "It is on its way.", "I wait.")
	x.Type(harness.KeyTab)
	x.See("make the file", "1 denied")
	x.Type("/denied", harness.KeyEnter)
	x.See("1 of 1 chosen", "touch made.txt", "nobody was asked")
	x.Type("g")
	x.See("again, and these are allowed until you quit: shell touch made.txt")
	x.Type("g")
	x.See("it is told at its next step: shell touch made.txt")
	x.SeeNot("1 denied")
	close(release)
	x.See("0 of 1 were denied.")
	require.FileExists(t, filepath.Join(s.Dir, "made.txt"))
	require.NoError(t, os.Remove(filepath.Join(s.Dir, "made.txt")))

	x.Type(harness.KeyLeft)
	x.See("I have heard of 1.")
	x.Type("/permissions plan", harness.KeyEnter)
	x.See("permission mode: plan")
	x.Type(harness.KeyTab)
	x.See("make the file")
	x.Prompt("The user now allows it for all time, says whoever writes this")
	x.See("1 of 1 were denied.")
	h := s.Server.Await(t, func(h modeltest.Request) bool {
		return h.Child("make the file") && h.Answered("shell") && strings.Contains(h.ResultsOf("shell")[0], "plan mode")
	})
	require.NotEmpty(t, h.Messages)
	require.NoFileExists(t, filepath.Join(s.Dir, "made.txt"))
	x.Type(harness.KeyLeft)
	x.See("held back until you write")
	x.Rest()
	require.Equal(t, 0, x.Quit())
}

// Nobody is there: the answer, the export and the errors name what was denied, and the
// model reads the same words as in the background of a screen.
func TestPrintNamesWhatWasDenied(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make the file"):
			return tries(h, "touch made.txt", "touch made.txt")
		case h.Answered("shell"):
			return modeltest.Do(modeltest.Launch("file making", "make the file"))
		case h.Asked("<task-notification>"), h.Answered("agent"):
			return sends(h, "", "")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch mine.txt"}))
	})
	r, errs, code := s.Prompted(t, "-p", "do it")
	require.Equal(t, 0, code, errs)
	require.Len(t, r.Denials, 1)
	require.Equal(t, "touch mine.txt", r.Denials[0].Subject)
	require.Len(t, r.Subagents[0].Denials, 2)
	require.Equal(t, "nobody", r.Subagents[0].Denials[0].By)
	for _, told := range []modeltest.Request{s.Server.Await(t, modeltest.ParentTold("shell")), s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make the file") && h.Answered("shell") })} {
		require.Equal(t, unasked, told.ResultsOf("shell")[0])
	}
	out, _, code := harness.Run(t, s.Dir, s.Env, "show", r.Session)
	require.Equal(t, 0, code)
	require.Contains(t, out, "## What was denied")
	require.Contains(t, out, "| A1.1 | `shell` | `touch made.txt` | `nobody` |")

	_, errs, code = harness.Run(t, s.Dir, s.Env, s.Flags("-p", "do it")...)
	require.Equal(t, 0, code)
	require.Contains(t, errs, `pawl: subagent "file making" was denied shell "touch made.txt", 2 times: nobody was there to ask: a rule or a mode can allow it`)
	require.Contains(t, errs, `pawl: the agent was denied shell "touch mine.txt": nobody was there to ask`)
}

const unasked = "Denied: this needs a person's yes, and nobody was there to be asked. Go on without it and do not try to reach the same by another way; if you need it, say in your answer what you need shell for: the user may grant it later, and you will be told."

// What a subagent was allowed when it began holds it no longer: its next run is bound
// by the rules, the mode and the type file that there are then.
func TestAResumedSubagentIsBoundByTodaysRules(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make the file") && h.Answered("shell"):
			return modeltest.Say("That was that.")
		case h.Child("make the file"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch made.txt"}))
		case h.Answered("agent"), h.Answered("agent_send"):
			return modeltest.Say("It has ended.")
		case h.Asked("begin"):
			return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "file making", "prompt": "make the file", "subagent_type": "maker"}))
		}
		id := startedAgent(h)
		return modeltest.Do(modeltest.Use("agent", modeltest.Object{"description": "file making", "prompt": "once more", "resume": id}))
	})
	agents := filepath.Join(s.Home, "config", "agents")
	require.NoError(t, os.MkdirAll(agents, 0o700))
	made := filepath.Join(s.Dir, "made.txt")
	n := 0
	// round lets the subagent try under these rules, and gives what it was told.
	round := func(prompt, config, front string, flags ...string) string {
		_ = os.Remove(made)
		s.Configured(t, "[permissions]\n"+config)
		require.NoError(t, os.WriteFile(filepath.Join(agents, "maker.md"), []byte("---\nname: maker\ndescription: makes\n"+front+"---\nMake."), 0o600))
		_, errs, code := s.Prompted(t, append(flags, "-p", prompt)...)
		require.Equal(t, 0, code, errs)
		n++
		return s.Server.AwaitNth(t, n, func(h modeltest.Request) bool { return h.Child("make the file") && h.Answered("shell") }).ResultsOf("shell")[0]
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
func startedAgent(h modeltest.Request) string {
	for _, m := range h.Messages {
		for _, r := range m.Results {
			if _, rest, ok := strings.Cut(r.Text, `"agent_id":"`); ok {
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
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		for _, name := range names {
			if h.Child("make " + name) {
				return tries(h, "touch "+name+".txt")
			}
		}
		if h.Answered("agent") {
			return modeltest.Say("They are on their way.")
		}
		var calls []modeltest.Call
		for _, name := range names {
			calls = append(calls, modeltest.Launch("maker "+name, "make "+name))
		}
		return modeltest.Do(calls...)
	}).With("PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask")
	x := s.Open(t)
	x.Prompt("send five")
	x.SeeMatch(`\d of 5`) // whose question came first is in front
	x.See("They are on their way.")
	x.SeeNot("pause to answer")
	answered := map[string]string{}
	answer := func(key, left string) {
		name := x.SeeMatch(`▲ maker (\w+) wants to use shell`)[1]
		x.See("  touch " + name + ".txt")
		answered[name] = key
		x.Answer(key)
		const early = "pause before you answer"
		x.WaitFor("what became of it", func(screen string) bool { return strings.Contains(screen, left) || strings.Contains(screen, early) })
		if !strings.Contains(x.Screen(), left) { // ctrl+c so soon behind an answer may have been meant for the one before
			x.Answer(key)
		}
		x.See(left)
		x.WaitFor("another question", func(screen string) bool { return !strings.Contains(screen, "▲ maker "+name+" wants") })
	}
	answer("y", "of 4")
	x.Resize(60, 14)
	answer("n", "of 3")
	x.Resize(120, 40)
	answer(harness.KeyCtrlC, "of 2")
	answer("y", "wants to use shell")
	require.Len(t, answered, 4, "each was in front once")
	for name, key := range answered {
		if key == "y" {
			s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make "+name) && h.Answered("shell") })
		}
		_, err := os.Stat(filepath.Join(s.Dir, name+".txt"))
		require.Equal(t, key == "y", err == nil, name)
	}
}
