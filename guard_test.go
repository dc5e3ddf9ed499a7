package main

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/internal/guard"
)

// What starts a session is guarded; the guard decides by the name of the command,
// before anything can parse it.
func TestEveryCommandIsEitherPlainOrGuarded(t *testing.T) {
	guarded := []string{"acp", "chat", "demo", "import", "replay"}
	parser, err := kong.New(&commandLine{})
	require.NoError(t, err)
	for _, command := range parser.Model.Children {
		require.NotEqual(t, slices.Contains(guarded, command.Name), slices.Contains(guard.Plain, command.Name),
			"%s: a command that starts a session or has a screen belongs here, any other in guard.Plain", command.Name)
	}
}

// One key is reported twice, by the kernel and by the guard, in any order and, where
// the machine is starved, seconds apart; two keys are two all the same.
func TestOneSignalThatIsReportedTwiceIsOne(t *testing.T) {
	const quick, slow, never = 100 * time.Millisecond, 2 * time.Second, 20 * time.Second
	for order, want := range map[string]int{
		"d":     1,
		"h":     1,
		"dh":    1,
		"hd":    1,
		"dd":    2,
		"ddhh":  2,
		"dhdh":  2,
		"hdhd":  2,
		"hhdd":  2,
		"hdh":   1, // timeout sends to the guard, then to all of its group
		"hh":    1,
		"h-h":   2,
		"d-d":   2,
		"d-h":   1,
		"h-d":   1,
		"d~h":   2,
		"h~d":   2,
		"dh-h":  2,
		"hd-d":  2,
		"hd-hd": 2,
		"d-h-h": 2,
	} {
		seen, now, news := newReports(), time.Now(), 0
		for _, way := range order {
			came := false
			switch now = now.Add(quick); way {
			case 'd':
				came = seen.direct(syscall.SIGINT, now)
			case 'h':
				came = seen.handedOn(syscall.SIGINT, now)
			case '-':
				now = now.Add(slow)
			case '~':
				now = now.Add(never)
			}
			if came {
				news++
			}
		}
		require.Equal(t, want, news, order)
	}
	seen, now := newReports(), time.Now()
	require.True(t, seen.direct(syscall.SIGINT, now))
	require.True(t, seen.handedOn(syscall.SIGTERM, now), "another signal is another one")
}

func TestABugIsOneLineAndItsTraceAFile(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	var said error
	func() {
		defer func() { said = bug(recover()) }()
		panic("boom")
	}()
	require.EqualError(t, said, "a bug in Pawl ended it (boom)", "there is no folder for a trace")

	path := settings.FindFolders().CrashFile()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	func() {
		defer func() { said = bug(recover()) }()
		panic("boom")
	}()
	require.EqualError(t, said, "a bug in Pawl ended it (boom); the trace is in "+path)
	trace, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(trace), "TestABugIsOneLineAndItsTraceAFile")
}
