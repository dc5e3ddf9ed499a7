package tools

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/agent"
	"pawl/agent/hook"
	"pawl/lifecycle"
	"pawl/tools/process"
)

func TestAStopEndsTheHooksAndWhatTheyStarted(t *testing.T) {
	t.Parallel()
	begun := filepath.Join(t.TempDir(), "begun")
	require.NoError(t, unix.Mkfifo(begun, 0o600))
	ctx, stop := context.WithCancel(t.Context())
	var stopped time.Time
	go func() {
		_, _ = os.ReadFile(begun) // comes back when the hook has opened and closed it
		stopped = time.Now()
		stop()
	}()
	l := &process.Launcher{Owner: lifecycle.RunID(t.Name())}
	h := Hooks{Launcher: l, Specs: []hook.Spec{hookOf(`(trap '' TERM; sleep 1000) & : > ` + begun + `; sleep 1000`)}}
	h.Ask(ctx, agent.HookInput{Event: agent.HookPreToolUse, Run: lifecycle.Run{Spec: lifecycle.Spec{Folder: t.TempDir()}}})
	require.Error(t, ctx.Err())
	require.Less(t, time.Since(stopped), patience)
	require.Eventually(t, func() bool {
		left, told := process.ListMarked()
		return told && !slices.ContainsFunc(left, func(p process.Marked) bool { return p.Run == l.Owner })
	}, patience, 10*time.Millisecond)
}
