//go:build linux

package machines

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// digs has begun, and goes on once it is released.
func digs(release <-chan struct{}) func(h modeltest.Request) modeltest.Reply {
	return func(h modeltest.Request) modeltest.Reply {
		if h.Answered("write") && !h.Asked("was lost") {
			return modeltest.Say("I have dug ").Until(release, "to the bottom.")
		}
		return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "hole.txt", "content": "deep\n"}))
	}
}

func TestAParentIsToldThatAWorkerWasLost(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), digs(make(chan struct{})))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	m.kill()
	x.See("Done.")
	got := s.parentTold(t)
	require.Equal(t, "interrupted", got.Status)
	require.Equal(t, "worker_lost", got.Cause)
	require.Contains(t, got.Output, "I have dug")
	require.Equal(t, 0, x.Quit())
	m.start(t)
	m.requireBare(t)
}

// The worker hears of the stop when it goes on, and sends what the run has left to nobody.
func TestARunStoppedOutOfReachSaysThatItsChangesDidNotComeHome(t *testing.T) {
	t.Parallel()
	s := set(t, away(true), digs(make(chan struct{})))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	require.NoError(t, m.cmd.Process.Signal(syscall.SIGSTOP)) // and its lease ends 10 s later
	x.StopCard()
	x.See("stopped: builder", "did not come home")
	require.NoError(t, m.cmd.Process.Signal(syscall.SIGCONT))
	m.requireBare(t)
	require.Equal(t, 0, quit(x))
	require.Contains(t, s.export(t, ""), "what it changed on "+machineName(t)+" did not come home")
}

// A type that may be done twice is, on a worker that is left.
func TestAnIdempotentSubagentBeginsAgainOnAnotherWorker(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, away(false, modeltest.Object{"subagent_type": "digger"}), digs(release))
	s.With("PAWL_PERMISSION_MODE=bypass")
	writeType(t, s.Home, "digger", "idempotent: true\n")
	first := s.worker(t)
	x := s.Open(t)
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	s.worker(t)
	first.kill()
	s.Server.AwaitNth(t, 2, func(h modeltest.Request) bool { return h.Child("build") && h.Answered("write") })
	x.See("builder", "I have dug")
	close(release)
	x.See("Done.")
	got := s.parentTold(t)
	require.Equal(t, "completed", got.Status)
	require.Equal(t, "deep\n", read(t, got.Worktree.Path, "hole.txt"))
	require.Equal(t, 0, x.Quit())
	exported := s.export(t, "")
	require.Equal(t, 2, strings.Count(exported, `"event":"placed"`))
	require.Contains(t, exported, "worker_lost")
}

// The host of a session dies, and another finds the subagent where it is.
func TestASubagentElsewhereOutlivesItsHost(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, s *stage, x *harness.Terminal){
		"killed": func(_ *testing.T, _ *stage, x *harness.Terminal) { x.Crash() },
		"ended": func(t *testing.T, s *stage, x *harness.Terminal) {
			s.EndHosts(t)
			x.AwaitEnd()
			x.Drain()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			s := set(t, away(false), digs(release))
			m := s.worker(t)
			x := s.Open(t, "--permission-mode", "bypass")
			x.Prompt("have it built")
			x.See("builder", "I have dug")
			end(t, s, x)
			s.Server.RequireOpen(t, func(h modeltest.Request) bool { return h.Child("build") && h.Answered("write") })
			x = s.Open(t, "--permission-mode", "bypass", "--continue")
			x.See("builder", "I have dug")
			close(release)
			x.See("changes to land")
			require.Len(t, s.Server.All(modeltest.FromChild("build")), 2, "nothing was asked again")
			m.requireBare(t)
			require.Equal(t, 0, x.Quit())
			require.Equal(t, 1, strings.Count(s.export(t, ""), `"event":"placed"`))
		})
	}
}

// It ends while nobody drives its session, and its end is found.
func TestTheEndOfASubagentElsewhereWaitsForItsHost(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, away(false), digs(release))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	x.Crash()
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("build") && h.Answered("write") })
	close(release)
	<-h.Stream.Ended
	x = s.Open(t, "--permission-mode", "bypass", "--continue")
	x.See("changes to land")
	require.Len(t, s.Server.All(modeltest.FromChild("build")), 2)
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
}

// It is away just when another host comes back, which waits for it: the subagent is still at work.
func TestAServerThatIsAwayWhenItsHostComesBackEndsNoSubagent(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, away(false), digs(release))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	x.Crash()
	list, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
	require.Equal(t, 0, code, errs)
	_, errs, code = harness.Run(t, s.Dir, s.Env, "rewind", strings.Fields(list)[0])
	require.Equal(t, 0, code, "who lists what could be taken back stops nothing: "+errs)
	s.nats.Stop()
	x = s.Open(t, "--permission-mode", "bypass", "--continue")
	x.See("builder", "waits for the NATS server")
	s.nats.Restart()
	x.See("builder", "I have dug")
	close(release)
	x.See("changes to land")
	require.Len(t, s.Server.All(modeltest.FromChild("build")), 2, "nothing was asked again")
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
}

// Who opens the session from a shell that does not know the server, or has no key for it, ends nothing.
func TestASessionThatIsOpenedWithoutItsServerEndsNoSubagent(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, away(false), digs(release))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	x.Crash()
	was := slices.Clone(s.Env)
	for _, setting := range []string{"PAWL_REMOTE_NATS=", "PAWL_REMOTE_CREDS=/none"} {
		s.Env = append(slices.Clone(was), setting)
		x = s.Open(t, "--permission-mode", "bypass", "--continue")
		x.See("builder", "waits for a server")
		x.Crash()
	}
	s.Env = was
	x = s.Open(t, "--permission-mode", "bypass", "--continue")
	x.See("builder", "I have dug")
	close(release)
	x.See("changes to land")
	require.Len(t, s.Server.All(modeltest.FromChild("build")), 2, "nothing was asked again")
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
}

// It is stopped while nobody can reach its worker, which is told as soon as it can be.
func TestASubagentThatIsStoppedBeforeItsMachineIsHeardOfIsEndedThereToo(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), digs(make(chan struct{})))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	x.Crash()
	s.nats.Stop()
	x = s.Open(t, "--permission-mode", "bypass", "--continue")
	x.See("builder", "waits for the NATS server")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.StopCard()
	x.See("builder", "stopped by you")
	require.NotEmpty(t, m.processes(), "nobody can reach it")
	s.nats.Restart()
	m.requireBare(t)
	require.Equal(t, 0, quit(x))
	require.Contains(t, s.export(t, ""), "what it changed on "+machineName(t)+" did not come home")
}

func TestAServerIsStartedAgainWhileASubagentWorks(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, away(false), digs(release))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "I have dug")
	s.nats.Stop()
	close(release)
	s.nats.Restart()
	x.See("Done.", "changes to land")
	require.Equal(t, "completed", s.parentTold(t).Status)
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
}
