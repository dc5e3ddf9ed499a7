package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/guard"
)

// What starts a session is guarded; the guard decides by the name of the command,
// before anything can parse it.
func TestEveryCommandIsEitherPlainOrGuarded(t *testing.T) {
	guarded := []string{"acp", "attach", "demo", "fleet", "import", "replay"}
	names := []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	for _, cmd := range newCommandTree(&base.World{}).Commands() {
		names = append(names, cmd.Name())
	}
	for _, name := range names {
		require.NotEqual(t, slices.Contains(guarded, name), slices.Contains(guard.Plain, name),
			"%s: a command that starts a session or has a screen belongs here, any other in guard.Plain", name)
	}
	require.Len(t, names, len(guarded)+len(guard.Plain))
}

func TestABugIsOneLineAndItsTraceAFile(t *testing.T) {
	t.Setenv("PAWL_HOME", t.TempDir())
	var said error
	func() {
		defer func() { said = base.ReportBug(recover()) }()
		panic("boom")
	}()
	require.EqualError(t, said, "a bug in Pawl ended it (boom)", "there is no folder for a trace")

	path := settings.FindFolders().CrashFile()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	func() {
		defer func() { said = base.ReportBug(recover()) }()
		panic("boom")
	}()
	require.EqualError(t, said, "a bug in Pawl ended it (boom); the trace is in "+path)
	trace, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(trace), "TestABugIsOneLineAndItsTraceAFile")
}
