//go:build linux

package machines

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/natstest"
)

func silent(modeltest.Request) modeltest.Reply { return modeltest.Surprised() }

func TestWithoutAServerASubagentElsewhereIsNotStartedAndTheLineSaysWhy(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), silent)
	s.nats.Stop()
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 3, code, errs)
	got := s.parentTold(t)
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "setup", got.Error.Kind)
	require.Contains(t, got.Error.Message, s.nats.Address())
	require.Contains(t, got.Error.Message, "pawl doctor")
	require.NotContains(t, got.Error.Message, "\n")
}

func TestWithoutASettingASubagentElsewhereIsRefused(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), silent)
	s.With("PAWL_REMOTE_NATS=")
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 0, code, errs)
	refused := s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")[0]
	require.Contains(t, refused, "isolation")
	require.Contains(t, refused, "remote")
}

func TestOutsideACheckoutASubagentElsewhereIsRefused(t *testing.T) {
	t.Parallel()
	nats := natstest.Start(t)
	s := &stage{nats: nats, Stage: harness.NewStageIn(t, t.TempDir(), modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("agent") {
			return modeltest.Say("Done.")
		}
		return modeltest.Do(away(false))
	})}
	s.With("PAWL_REMOTE_NATS=" + nats.URL())
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 0, code, errs)
	require.Contains(t, s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")[0], "git")
}

func TestALineSaysWhatItWaitsForUntilAWorkerComes(t *testing.T) {
	t.Parallel()
	s := set(t, away(false, modeltest.Object{"subagent_type": "digger"}), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Built it.") })
	writeType(t, s.Home, "digger", "labels: gpu\n")
	s.worker(t)
	x := s.Open(t)
	x.Prompt("have it built")
	x.See("builder", "waits for a worker with gpu; 1 is there, without it")
	m := s.worker(t, "--labels", "gpu,linux")
	x.See("Done.")
	require.Equal(t, "completed", s.parentTold(t).Status)
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
}

func TestASubagentThatWaitsForAWorkerIsStopped(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), silent)
	x := s.Open(t)
	x.Prompt("have it built")
	x.See("builder", "waits for a worker")
	x.Type(harness.KeyEsc)
	x.See("Done.")
	require.Equal(t, "canceled_by_user", s.parentTold(t).Status)
	m := s.worker(t)
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
	require.Empty(t, s.Server.All(modeltest.FromChild("build")), "nobody has begun it")
}

// What it left before is still to be landed.
func TestASubagentThatIsStoppedBeforeItGoesOnElsewhereKeepsItsWorktree(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	close(release)
	s := set(t, away(false), digs(release))
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("Done.", "changes to land")
	m.end(t)
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyEnter)
	x.See("to the bottom.")
	x.Prompt("and test it")
	x.See("waits for a worker")
	x.Type(harness.KeyEsc)
	x.See("again stops it")
	x.Type(harness.KeyEsc)
	x.See("stopped by you", "changes to land")
	require.Equal(t, 0, quit(x))
}

func TestAWorkerTakesNoJobOfAStranger(t *testing.T) {
	t.Parallel()
	nats := natstest.Start(t, natstest.WithUsers(2))
	s := setOn(t, nats, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build"):
			return modeltest.Say("Built it.")
		case h.Answered("agent"):
			return modeltest.Say("Done.")
		case h.Asked("by one who knows me"):
			return modeltest.Do(away(false, modeltest.Object{"subagent_type": "digger"}))
		}
		return modeltest.Do(away(false))
	})
	s.With("PAWL_REMOTE_CREDS=" + nats.Creds(0).File)
	s.worker(t, "--creds", nats.Creds(1).File)
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 3, code, errs)
	got := s.parentTold(t)
	require.Equal(t, "failed", got.Status)
	require.Contains(t, got.Error.Message, "refused by a worker with the key "+nats.Creds(1).Key+": add that to the file that workers in [remote] names")
	require.Contains(t, got.Error.Message, "--accept, the key of this session, "+nats.Creds(0).Key)

	workers := filepath.Join(t.TempDir(), "workers")
	writeFile(t, workers, nats.Creds(1).Key+"\n")
	s.With("PAWL_REMOTE_WORKERS=" + workers)
	accepted := filepath.Join(t.TempDir(), "accepted")
	writeFile(t, accepted, nats.Creds(0).Key+"\n")
	s.worker(t, "--creds", nats.Creds(1).File, "--accept", accepted, "--labels", "known")
	writeType(t, s.Home, "digger", "labels: known\n")
	_, errs, code = s.Prompted(t, "-p", "have it built by one who knows me")
	require.Equal(t, 0, code, errs)
	again := s.Server.AwaitNth(t, 2, modeltest.ParentTold("agent"))
	require.Equal(t, "completed", toldIn(t, again.ResultsOf("agent")[0]).Status)
}

func TestAWorkerNeedsGitAndAServer(t *testing.T) {
	t.Parallel()
	s := setFor(t, silent)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	for want, args := range map[string][]string{
		listener.Addr().String(): {"worker", "--nats", "nats://" + listener.Addr().String()},
		"git":                    {"worker"},
	} {
		env := s.Env
		if want == "git" {
			env = append(env, "PATH="+t.TempDir())
		}
		_, errs, code := harness.Run(t, s.Dir, env, args...)
		require.NotEqual(t, 0, code)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, want)
	}
	require.Empty(t, gittest.Run(t, s.Dir, "status", "--porcelain"))
}
