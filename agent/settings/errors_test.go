package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllThatIsWrongIsToldAtOnce(t *testing.T) {
	path := file(t, `permission_mode = "yolo"
modle = "x"
[subagents]
max_background = "five"
background_permissions = "maybe"
[limits]
max_cost = -1
max_tokens = [
  1,
]
[permissions]
deny = ["shel(ls)", 'shel("a, b")', "shell(ok)", "edti(x)"]
[screen]
theme = "pink"
[mcp.one]
comand = ["x"]
[models."x"]
context = 1
[[hooks]]
event = "Sometime"
command = "x"
[[hooks]]
event = "Stop"
`)
	_, err := Load(path, []string{"PAWL_MODLE=x", "PAWL_LIMITS_MAX_STEPS=many"})
	lines := strings.Split(strings.ReplaceAll(err.Error(), path, "config.toml"), "\n")
	var places []string
	for _, line := range lines {
		place, _, _ := strings.Cut(line, ": ")
		places = append(places, place)
	}
	require.Equal(t, []string{
		"config.toml:1", "config.toml:2", "config.toml:4", "config.toml:5", "config.toml:7", "config.toml:8", "config.toml:12", "config.toml:12",
		"config.toml:12", "config.toml:14", "config.toml:16", "config.toml:17", "config.toml:19", "config.toml:22", "environment", "environment",
	}, places, err.Error())
	require.ErrorContains(t, err, "PAWL_LIMITS_MAX_STEPS")
	require.NotContains(t, err.Error(), "it has neither a command", "that follows from line 16")
}

func TestALineThatIsNoTOMLHidesNothing(t *testing.T) {
	_, err := Load(file(t, "model = \nmodle = 1"), []string{"PAWL_MODLE=x"})
	require.ErrorContains(t, err, "config.toml:1")
	require.ErrorContains(t, err, "PAWL_MODLE")
	require.ErrorContains(t, err, `"modle"`)
	require.Equal(t, 2, strings.Count(err.Error(), "\n"))
}

func TestOfAFileThatIsNoneOfOursNotEveryLineIsTold(t *testing.T) {
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "key%d = 1\n", i)
	}
	_, err := Load(file(t, text.String()), nil)
	require.Equal(t, maxErrors, strings.Count(err.Error(), "\n"))
	require.ErrorContains(t, err, "and 480 more settings that cannot be used")
}

func TestOneMistakeIsOneError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte("modle = 1\n"), 0o600))
	_, err := Load(path, nil)
	require.IsType(t, &Error{}, err)
}
