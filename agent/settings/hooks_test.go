package settings

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/hook"
)

func TestHooksAreReadAsTheyAreMeant(t *testing.T) {
	path := file(t, `
model = "anthropic/x"

[[hooks]]
event = "PreToolUse"
match = "shell|edit"
command = ["~/bin/check", "$HOME"]
timeout = "10s"

[[hooks]]
event = "Stop"
match = "*"
command = "make test >&2 || exit 2"
`)
	s, err := Load(path, nil)
	require.NoError(t, err)
	require.Equal(t, []hook.Spec{
		{Event: agent.HookPreToolUse, Match: "shell|edit", Command: []string{"~/bin/check", "$HOME"}, Limit: 10 * time.Second, Source: hook.User, Where: path + ":4"},
		{Event: agent.HookStop, Line: "make test >&2 || exit 2", Limit: hook.Limit, Source: hook.User, Where: path + ":10"},
	}, s.Programs)
}

func TestAHookThatCannotBeMeantIsNamedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"event = \"PreTool\"\ncommand = \"x\"":                       `unknown event "PreTool"; did you mean "PreToolUse"?`,
		"command = \"x\"":                                            `:1: hook: it has no event`,
		"event = \"Stop\"":                                           `:1: hook: it has no command: write command = ["program", "argument"]`,
		"event = \"Stop\"\ncommand = \" \"":                          `its command is blank`,
		"event = \"Stop\"\ncommand = []":                             `it has no command`,
		"event = \"Stop\"\ncommand = 3":                              `command 3 is neither a list nor a string`,
		"event = \"Stop\"\ncommand = [\"a\", 1]":                     `its command contains 1, which is not a string`,
		"event = \"Stop\"\ncommand = [\"./check.sh\"]":               `command "./check.sh" would be a different program in each folder`,
		"event = \"Stop\"\ncommand = \"x\"\ntimeout = \"2m\"":        `timeout 2m0s: must be a duration of at most 1m0s`,
		"event = \"Stop\"\ncommand = \"x\"\ntimeout = \"0s\"":        `timeout 0s`,
		"event = \"Stop\"\ncommand = \"x\"\nmatcher = \"shell\"":     `:4: unknown setting "matcher" of a hook; did you mean "match"?`,
		"event = \"Stop\"\ncommand = \"x\"\ntimeout = \"yesterday\"": `"yesterday" is not a duration`,
	} {
		_, err := Load(file(t, "[[hooks]]\n"+text+"\n"), nil)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n", text)
	}
	_, err := Load(file(t, "[[hook]]\nevent = \"Stop\"\n"), nil)
	require.ErrorContains(t, err, `did you mean "hooks"?`)
}

func TestAProjectsOwnProgramStandsWhereNobodyWritesWithoutAQuestion(t *testing.T) {
	own := []Hook{{Event: "PreToolUse", Command: []any{"./.pawl/hooks/check.sh"}}}
	specs, err := HooksOf("/src/.pawl/config.toml", "[[hooks]]\n", own, hook.Project, "/src")
	require.NoError(t, err)
	program, _, err := specs[0].Program("/home/ada")
	require.NoError(t, err)
	require.Equal(t, "/src/.pawl/hooks/check.sh", program)
	own[0].Command = []any{"./check.sh"}
	_, err = HooksOf("/src/.pawl/config.toml", "", own, hook.Project, "/src")
	require.ErrorContains(t, err, "must be below .pawl")
}
