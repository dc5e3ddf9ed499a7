//go:build unix

package stories

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// leavings are the ways for a terminal to go away.
var leavings = map[string]struct {
	leave func(x *harness.Terminal)
	code  int
}{
	"its window is closed": {(*harness.Terminal).Vanish, 129},
	"SIGHUP to its front":  {func(x *harness.Terminal) { x.Signal(syscall.SIGHUP) }, 129},
	"SIGTERM to its front": {func(x *harness.Terminal) { x.Signal(syscall.SIGTERM) }, 143},
}

func TestATerminalThatGoesAwayLeavesItsSubagentsAtWork(t *testing.T) {
	for name, l := range leavings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", release, "and found a stone."), "A stone it is.")).With("PAWL_ON_HANGUP=detach")
			x := s.Open(t)
			x.Prompt("go")
			x.See("It is on its way.", "I dig")
			x.Rest()
			l.leave(x)
			x.AwaitEnd()
			require.Equal(t, l.code, x.Cmd.ProcessState.ExitCode())
			s.Server.RequireOpen(t, modeltest.FromChild("dig"))
			if l.code == 143 {
				x.See("1 subagent goes on: pawl attach ")
				require.NoError(t, x.Wrong())
			}
			second := harness.Start(t, s.Dir, s.Env, "attach")
			second.See("It is on its way.", "I dig")
			close(release)
			second.See("A stone it is.")
			require.Equal(t, 0, second.Quit())
			s.AwaitNoHost(t)
			requireEachNoticeOnce(t, s.Server, "a dig")
		})
	}
}

func TestATerminalThatGoesAwayEndsASessionInWhichNothingRuns(t *testing.T) {
	for name, l := range leavings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It adds.") }).With("PAWL_ON_HANGUP=detach")
			x := s.Open(t)
			x.Prompt("what is it?")
			x.See("It adds.")
			x.Rest()
			l.leave(x)
			x.AwaitEnd()
			require.Equal(t, l.code, x.Cmd.ProcessState.ExitCode())
			s.AwaitNoHost(t)
		})
	}
}

func TestOnHangupStopEndsWhatRunsWithTheTerminal(t *testing.T) {
	for name, l := range leavings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", make(chan struct{})), "I have heard of it."))
			s.Env = slices.DeleteFunc(s.Env, func(v string) bool { return strings.HasPrefix(v, "PAWL_ON_HANGUP=") })
			s.Configured(t, "on_hangup = \"stop\"\n")
			x := s.Open(t)
			x.Prompt("go")
			x.See("It is on its way.", "I dig")
			l.leave(x)
			x.AwaitEnd()
			require.Equal(t, l.code, x.Cmd.ProcessState.ExitCode())
			s.AwaitNoHost(t)
			require.Contains(t, exportOf(t, s, ""), `"interrupted"`)
		})
	}
}

func TestDetachedAndAttachedASessionIsAsItWasLeft(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", release, "and found a stone."), "A stone it is."))
	x := s.Open(t)
	x.Prompt("go")
	x.See("It is on its way.", "I dig")
	x.Rest()
	x.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, x.Wait())
	id := x.SeeMatch(`1 subagent goes on: pawl attach (\w+)`)[1]
	for range 2 {
		x = harness.Start(t, s.Dir, s.Env, "attach", id)
		x.See("It is on its way.", "I dig")
		x.Type(harness.KeyCtrlBackslash)
		require.Equal(t, 0, x.Wait())
	}
	s.Server.RequireOpen(t, modeltest.FromChild("dig"))
	close(release)
	s.AwaitNoHost(t) // it tells its model of the end first
	s.Server.Await(t, parentHeardOf("a dig"))
	x = harness.Start(t, s.Dir, s.Env, "attach", id)
	x.See("A stone it is.")
	require.Equal(t, 0, x.Quit())
}

// A screen that a person has closed is gone at once, even if nobody can be told.
func TestATerminalThatIsClosedWhileItsSessionIsStoppedLeavesNoProcess(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", release, "and found a stone."), "A stone it is.")).With("PAWL_ON_HANGUP=detach")
	x := s.Open(t)
	x.Prompt("go")
	x.See("It is on its way.", "I dig")
	host, err := os.FindProcess(s.Hosts()[0])
	require.NoError(t, err)
	require.NoError(t, host.Signal(syscall.SIGSTOP))
	t.Cleanup(func() { _ = host.Signal(syscall.SIGCONT) }) // it may have ended
	x.Vanish()
	x.AwaitEnd()
	require.Equal(t, 129, x.Cmd.ProcessState.ExitCode())
	require.NoError(t, host.Signal(syscall.SIGCONT))
	second := harness.Start(t, s.Dir, s.Env, "attach")
	second.See("It is on its way.", "I dig")
	close(release)
	second.See("A stone it is.")
	require.Equal(t, 0, second.Quit())
}

// Until the screen is up Ctrl+C is a signal to the front: of somebody who sees nothing that it could be
// meant for.
func TestCtrlCBeforeAScreenIsUpGivesUpTheScreenAndStopsNothing(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), oneDig(digging("I dig ", release, "and found a stone."), "A stone it is.")).With("PAWL_ON_HANGUP=stop")
	x := s.Open(t)
	x.Prompt("go")
	x.See("It is on its way.", "I dig")
	x.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, x.Wait())
	host, err := os.FindProcess(s.Hosts()[0])
	require.NoError(t, err)
	require.NoError(t, host.Signal(syscall.SIGSTOP))
	t.Cleanup(func() { _ = host.Signal(syscall.SIGCONT) }) // it may have ended
	late := harness.Start(t, s.Dir, s.Env, "attach")
	late.See("does not answer yet; ctrl+c gives up")
	late.Type(harness.KeyCtrlC)
	late.AwaitEnd()
	require.Equal(t, 130, late.Cmd.ProcessState.ExitCode())
	require.NoError(t, host.Signal(syscall.SIGCONT))
	x = harness.Start(t, s.Dir, s.Env, "attach")
	x.See("It is on its way.", "I dig")
	close(release)
	x.See("A stone it is.")
	require.Equal(t, 0, x.Quit())
}

func TestNothingIsLeftAtWorkWhereNobodyCouldComeBackToIt(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("dig deeper") {
			return modeltest.Say("I dig deeper").Until(make(chan struct{}))
		}
		return modeltest.Say("I dig").Until(release, " and found a stone.")
	}).With("PAWL_ON_HANGUP=detach")
	sockets := filepath.Join(s.Home, "state", "run")
	require.NoError(t, os.MkdirAll(sockets, 0o700))
	require.NoError(t, os.Chmod(sockets, 0o770)) //nolint:gosec // that is the point
	const why = "other users may write to the folder for sockets"
	_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "--detach", "dig")...)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "not begun, for nobody could come back to it: "+why)
	s.AwaitNoHost(t)
	require.Empty(t, s.Server.All(modeltest.FromParent))

	x := s.Open(t)
	x.Prompt("dig")
	x.See("I dig")
	x.Type(harness.KeyCtrlBackslash)
	x.See("not left, for nobody could come back to what works here: " + why[:20])
	x.Type("half a line")
	x.See("half a line")
	close(release)
	x.See("and found a stone.")
	x.Rest()
	x.Type(harness.KeyCtrlBackslash)
	require.Equal(t, 0, x.Wait(), "nothing works any more")
	s.AwaitNoHost(t)

	x = s.Open(t, "--continue")
	x.See("half a line")
	x.Type(harness.KeyCtrlU)
	x.Prompt("dig deeper")
	x.See("I dig deeper")
	x.Vanish()
	x.AwaitEnd()
	s.AwaitNoHost(t)
	require.Equal(t, []string{"completed", "interrupted"}, column(t, openDatabase(t, s), `SELECT state FROM runs ORDER BY spawned`))
}

// column is the first column of what the database holds.
func column(t *testing.T, db *sql.DB, query string) (values []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var value string
		require.NoError(t, rows.Scan(&value))
		values = append(values, value)
	}
	require.NoError(t, rows.Err())
	return values
}
