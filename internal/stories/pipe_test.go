package stories

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// pipes stand in the places of files that Pawl, or git for it, reads without being asked;
// those of one row at once. ~ is Pawl's own folder.
var pipes = map[string][]string{
	"git's link": {".git"},
	"git's": {
		".git/HEAD", ".git/config", ".git/commondir", ".git/config.worktree", ".git/index", ".git/info/exclude", ".gitignore", ".gitattributes",
	},
	"the project's":       {"AGENTS.md", "CLAUDE.md", ".mcp.json", ".pawl/config.toml", ".pawl/agents/a.md", ".claude/agents/a.md", "README.md"},
	"the settings":        {"~/config/config.toml"},
	"others of the user":  {"~/config/agents/a.md", "~/config/AGENTS.md", "~/config/allowed.toml", "~/data/allowed.toml", "~/state/allowed.toml"},
	"the database":        {"~/data/pawl.db"},
	"the database's log":  {"~/data/pawl.db-wal"},
	"what Pawl writes to": {"~/state/pawl.log", "~/state/crash.log", "~/state/history.jsonl", "~/data/history.jsonl"},
}

// It is passed over, or named in one line.
func TestAPipeInThePlaceOfAFileKeepsNothingWaiting(t *testing.T) {
	t.Parallel()
	for name, places := range pipes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				if h.Answered("shell") {
					return modeltest.Say("Done.")
				}
				return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "true"}), modeltest.Use("read", modeltest.Object{"path": "README.md"}))
			})
			for _, place := range places {
				path := filepath.Join(s.Dir, place)
				if own, is := strings.CutPrefix(place, "~/"); is {
					path = filepath.Join(s.Home, own)
				}
				require.NoError(t, os.RemoveAll(path))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
				require.NoError(t, syscall.Mkfifo(path, 0o600))
				t.Cleanup(func() { require.NoError(t, os.Remove(path)) })
			}
			requireEnds(t, s, "-p", "--trust", "--permission-mode", "bypass", "do it")
			requireEnds(t, s, "doctor")
			requireEnds(t, s, "sessions")
		})
	}
}

// requireEnds is about a command that ends by itself, well or with one line.
func requireEnds(t *testing.T, s *harness.Stage, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	path, err := harness.Binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(ctx, path, args...)
	if args[0] == "-p" {
		cmd = exec.CommandContext(ctx, path, s.Flags(args...)...)
	}
	var errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = s.Dir, s.Env, &errs, modeltest.Patience
	err = cmd.Run()
	require.NoError(t, ctx.Err(), "pawl %v waits: %s", args, errs.String())
	if code, is := errors.AsType[*exec.ExitError](err); is {
		require.Contains(t, []int{1, 2}, code.ExitCode(), "pawl %v: %s", args, errs.String())
		return
	}
	require.NoError(t, err)
}
