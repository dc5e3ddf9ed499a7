package front

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAHostSendsAFrontToSessionsAndToNothingElse(t *testing.T) {
	for line, want := range map[string]bool{
		"":                                    true,
		"fleet":                               true,
		"fleet 01a2":                          true,
		"--session 01a2":                      true,
		"--session 01a2 --model demo --trust": true,
		"--permission-mode plan":              true,
		"fleet --help":                        false,
		"fleet 01a2 -p":                       false,
		"do it":                               false,
		"-p do":                               false,
		"--session -p":                        false,
		"--session 01a2 do":                   false,
		"--permission-mode":                   false,
		"run-worker":                          false,
		"worker":                              false,
		"--print":                             false,
		"--trust -- do":                       false,
	} {
		require.Equal(t, want, opensSession(strings.Fields(line)), line)
	}
}

func TestAnExitCodeIsOneThatAShellSees(t *testing.T) {
	for code, want := range map[int]int{0: 0, 1: 1, 130: 130, 255: 255, 256: 1, -1: 1, 1 << 40: 1} {
		require.Equal(t, want, exitCode(code))
	}
}
