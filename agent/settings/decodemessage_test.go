package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAValueOfAnotherSortIsNamedInWordsOfTheFile(t *testing.T) {
	for text, want := range map[string]string{
		"[sandbox]\nwrite = \"/x\"":                              `:2: sandbox.write: must be a list of strings, such as ["x", "y"]`,
		"[tools]\ndebuggable = \"yes\"":                          `:2: tools.debuggable: must be true or false`,
		"model = 3":                                              `:1: model: must be a string, such as "x"`,
		"model = [\"x\"]":                                        `:1: model: must be a string, such as "x"`,
		"limits.max_steps = \"9\"":                               `:1: limits.max_steps: must be a whole number`,
		"limits.max_steps = 1.5":                                 `:1: limits.max_steps: must be a whole number`,
		"limits.max_cost = \"9\"":                                `:1: limits.max_cost: must be a number`,
		"hooks = \"x\"":                                          `:1: hooks: must be a list of tables: write [[hooks]] above each`,
		"screen = \"dark\"":                                      `:1: screen: must be a table`,
		"permissions.deny = [\"shel(x)\"]":                       `:1: rule "shel(x)", column 1: "shel" is not a kind of rule; did you mean "shell"? It is shell, edit, read, fetch, mcp or search`,
		"model = ":                                               `:1: expected value, not end of input`,
		"[subagents]\nforeground_warning = 10":                   `: subagents.foreground_warning 10: it has no unit: write it like "30s" or "10m"`,
		"[subagents]\nforeground_warning = \"10\"":               `:2: "10" is not a duration: write it like 90s or 10m`,
		"[mcp.x]\ncommand = [\"x\"]\ntimeout = 30":               `timeout 30: it has no unit: write it like "30s" or "10m"`,
		"[[hooks]]\nevent=\"Stop\"\ncommand=\"x\"\ntimeout = 30": `:1: hook: timeout 30: it has no unit: write it like "30s" or "10m"`,
	} {
		_, err := Load(file(t, text), nil)
		require.ErrorContains(t, err, want, text)
	}
}
