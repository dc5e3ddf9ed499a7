package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// Nobody is there to ask: what happens, happens by a rule.
func TestRulesDecideWithoutAPersonForParentAndSubagentsAlike(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("tidy") && h.Answered("shell"):
			return modeltest.Say("I may not.")
		case h.Child("tidy"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch child.txt && rm parent.txt"}))
		case h.Answered("task"):
			return modeltest.Say("Done.")
		case h.Answered("shell"):
			return modeltest.Do(modeltest.Use("task", modeltest.Object{"prompt": "tidy"}))
		}
		return modeltest.Do(
			modeltest.Use("shell", modeltest.Object{"command": "touch parent.txt"}), modeltest.Use("shell", modeltest.Object{"command": "touch x > y.txt"}), modeltest.Use("shell", modeltest.Object{"command": "command rm parent.txt"}),
			modeltest.Use("read", modeltest.Object{"path": "README.md"}), modeltest.Use("grep", modeltest.Object{"pattern": "Adds"}),
		)
	})
	s.Configured(t, "[permissions]\nallow = [\"shell(touch *)\"]\ndeny = [\"shell(rm *)\", \"read(README.*)\"]\n")
	_, errs, code := s.Prompted(t, "-p", "do it")
	require.Equal(t, 0, code, errs)
	require.FileExists(t, s.Dir+"/parent.txt")
	require.NoFileExists(t, s.Dir+"/y.txt")
	require.NoFileExists(t, s.Dir+"/child.txt")

	h := s.Server.Await(t, modeltest.ParentTold("shell"))
	results := h.ResultsOf("shell")
	require.Contains(t, results[0], "exit code 0")
	require.Contains(t, results[1], "Denied")
	require.Contains(t, results[2], "the user's rule shell(rm *) denies it")
	require.Contains(t, h.ResultsOf("read")[0], "the user's rule read(README.*) denies it")
	require.NotContains(t, h.ResultsOf("grep")[0], "README.md:")
	child := s.Server.AwaitNth(t, 2, modeltest.FromChild("tidy"))
	require.Contains(t, child.ResultsOf("shell")[0], "the user's rule shell(rm *) denies it")

	text, d := examined(t, s, 0)
	require.Equal(t, "shell(touch *)", d.finding(t, "Permissions", "allow").Says)
	require.Contains(t, text, "read(README.*)")
	s.Configured(t, "[permissions]\nallow = [\"shell(sudo *)\"]\n")
	_, errs, code = harness.Run(t, s.Dir, s.Env, "-p", "do it")
	require.Equal(t, 2, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, `config.toml:2: rule "shell(sudo *)", column 7: it can allow nothing`)
}

// The parser takes a backslash at the end of a comment for a line that goes on, bash does
// not.
func TestACommentsBackslashHidesNoCommandFromTheRules(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("Done.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "ls # list \\\ntouch unasked.txt"}), modeltest.Use("shell", modeltest.Object{"command": "ls # list \\\nrm README.md"}))
	})
	for _, mode := range []string{"default", "bypass"} {
		s.Configured(t, "[permissions]\nallow = [\"shell(ls *)\"]\ndeny = [\"shell(rm *)\", \"shell(touch *)\"]\n")
		_, errs, code := s.Prompted(t, "-p", "--permission-mode", mode, "do it")
		require.Equal(t, 0, code, errs)
		require.NoFileExists(t, s.Dir+"/unasked.txt")
		require.FileExists(t, s.Dir+"/README.md")
	}
	for _, result := range s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell") {
		require.Contains(t, result, "Denied")
	}
}
