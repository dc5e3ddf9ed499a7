package servers

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/launch"
)

func TestMain(m *testing.M) {
	launch.Main()
	goleak.VerifyTestMain(m)
}

// home is a user without settings, in an empty folder.
type home struct {
	t        *testing.T
	world    base.World
	out, err bytes.Buffer
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{t: t}
	t.Setenv("PAWL_HOME", t.TempDir())
	h.world = base.World{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Folder: t.TempDir(), Logged: true}
	return h
}

func (h *home) config() string { return settings.FindFolders().ConfigFile() }

// run is pawl mcp with these words: its exit code and what it prints, errors too.
func (h *home) run(args ...string) (int, string) {
	h.t.Helper()
	h.out.Reset()
	h.err.Reset()
	cmd := New(&h.world)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := command.Execute(h.t.Context(), cmd, args)
	text := h.out.String() + h.err.String()
	if err != nil {
		require.NotContains(h.t, err.Error(), "\n")
		text += err.Error()
	}
	return command.ExitCode(err), text
}
