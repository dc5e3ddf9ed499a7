package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody is there to ask: what happens, happens by a rule.
func TestRulesDecideWithoutAPersonForParentAndSubagentsAlike(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("tidy") && h.answered("shell"):
			return say("I may not.")
		case h.child("tidy"):
			return do(use("shell", object{"command": "touch child.txt && rm parent.txt"}))
		case h.answered("task"):
			return say("Done.")
		case h.answered("shell"):
			return do(use("task", object{"prompt": "tidy"}))
		}
		return do(
			use("shell", object{"command": "touch parent.txt"}), use("shell", object{"command": "touch x > y.txt"}), use("shell", object{"command": "command rm parent.txt"}),
			use("read", object{"path": "README.md"}), use("grep", object{"pattern": "Adds"}),
		)
	})
	s.configured(t, "[permissions]\nallow = [\"shell(touch *)\"]\ndeny = [\"shell(rm *)\", \"read(README.*)\"]\n")
	_, errs, code := s.prompted(t, "-p", "do it")
	require.Equal(t, 0, code, errs)
	require.FileExists(t, s.dir+"/parent.txt")
	require.NoFileExists(t, s.dir+"/y.txt")
	require.NoFileExists(t, s.dir+"/child.txt")

	h := s.server.await(t, parentTold("shell"))
	results := h.resultsOf("shell")
	require.Contains(t, results[0], "exit code 0")
	require.Contains(t, results[1], "Denied")
	require.Contains(t, results[2], "the user's rule shell(rm *) denies it")
	require.Contains(t, h.resultsOf("read")[0], "the user's rule read(README.*) denies it")
	require.NotContains(t, h.resultsOf("grep")[0], "README.md:")
	child := s.server.awaitNth(t, 2, fromChild("tidy"))
	require.Contains(t, child.resultsOf("shell")[0], "the user's rule shell(rm *) denies it")

	text, d := s.examined(t, 0)
	require.Equal(t, "shell(touch *)", d.finding(t, "Permissions", "allow").Says)
	require.Contains(t, text, "read(README.*)")
	s.configured(t, "[permissions]\nallow = [\"shell(sudo *)\"]\n")
	_, errs, code = run(t, s.dir, s.env, "-p", "do it")
	require.Equal(t, 2, code)
	requireOneLine(t, errs)
	require.Contains(t, errs, `config.toml:2: rule "shell(sudo *)", column 7: it can allow nothing`)
}

// The parser takes a backslash at the end of a comment for a line that goes on, bash does
// not.
func TestACommentsBackslashHidesNoCommandFromTheRules(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.answered("shell") {
			return say("Done.")
		}
		return do(use("shell", object{"command": "ls # list \\\ntouch unasked.txt"}), use("shell", object{"command": "ls # list \\\nrm README.md"}))
	})
	for _, mode := range []string{"default", "bypass"} {
		s.configured(t, "[permissions]\nallow = [\"shell(ls *)\"]\ndeny = [\"shell(rm *)\", \"shell(touch *)\"]\n")
		_, errs, code := s.prompted(t, "-p", "--permission-mode", mode, "do it")
		require.Equal(t, 0, code, errs)
		require.NoFileExists(t, s.dir+"/unasked.txt")
		require.FileExists(t, s.dir+"/README.md")
	}
	for _, result := range s.server.await(t, parentTold("shell")).resultsOf("shell") {
		require.Contains(t, result, "Denied")
	}
}
