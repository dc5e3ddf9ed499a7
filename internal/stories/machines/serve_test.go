//go:build linux

package machines

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/natstest"
)

// A team begins with one command on one machine and one on the next, and nobody else gets in.
func TestATeamBeginsWithAServerThatAWorkerStarts(t *testing.T) {
	t.Parallel()
	_, err := harness.Binary()
	require.NoError(t, err)
	_, err = harness.Build("pawl-server", "./internal/server") // beside it
	require.NoError(t, err)
	s := set(t, away(false), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("write") {
			return modeltest.Say("Built it.")
		}
		return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "built.txt", "content": "here\n"}))
	})
	s.With("PAWL_REMOTE_NATS=", "PAWL_PERMISSION_MODE=bypass")
	first := s.worker(t, "--serve", "127.0.0.1:0", "--slots", "2")
	text := first.says()
	url := regexp.MustCompile(`tls://127\.0\.0\.1:\d+`).FindString(text)
	require.NotEmpty(t, url, text)
	require.Contains(t, text, "Only this machine reaches it")
	creds := filepath.Join(first.home, "data", "server", "remote.creds")

	s.With("PAWL_REMOTE_NATS=" + url)
	_, errs, code := harness.Run(t, s.Dir, s.Env, "worker")
	require.Equal(t, 1, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "is not trusted")
	out, _, _ := harness.Run(t, s.Dir, s.Env, "doctor")
	require.Contains(t, out, "is not trusted")

	s.With("PAWL_REMOTE_CREDS=" + creds)
	second := s.worker(t, "--slots", "7", "--labels", "gpu")
	var fleet struct {
		Workers []struct {
			Slots  int
			Labels []string
			Fits   bool
		}
	}
	for began := time.Now(); len(fleet.Workers) < 2 && time.Since(began) < modeltest.Patience; { // who has begun is listed a moment later
		out, errs, code = harness.Run(t, s.Dir, s.Env, "fleet", "--json")
		require.Equal(t, 0, code, errs)
		require.NoError(t, json.Unmarshal([]byte(out), &fleet))
	}
	require.Len(t, fleet.Workers, 2)
	require.True(t, fleet.Workers[0].Fits && fleet.Workers[1].Fits)
	require.Equal(t, 9, fleet.Workers[0].Slots+fleet.Workers[1].Slots)
	out, _, _ = harness.Run(t, s.Dir, s.Env, "doctor")
	for _, want := range []string{url + ", with TLS", "PAWL_JOBS", "2 workers, 0 of 9 slots taken", "labels gpu", "checkouts can be sent from here"} {
		require.Contains(t, out, want)
	}
	_, errs, code = s.Prompted(t, "-p", "have it built")
	require.Equal(t, 0, code, errs)
	got := s.parentTold(t)
	require.Equal(t, "here\n", read(t, got.Worktree.Path, "built.txt"))

	second.end(t)
	first.end(t)
	require.Eventually(t, func() bool { return len(first.processes())+len(second.processes()) == 0 }, modeltest.Patience, 20*time.Millisecond)
}

func TestAWorkerSaysWhatItsServerLacks(t *testing.T) {
	t.Parallel()
	s := setFor(t, silent)
	plain := natstest.Start(t, natstest.WithoutJetStream())
	users := natstest.Start(t, natstest.WithUsers(1))
	stranger := natstest.NewCreds(t, filepath.Join(t.TempDir(), "stranger.nk"))
	for want, args := range map[string][]string{
		"has no JetStream":                               {"--nats", plain.URL()},
		"wants credentials: set creds":                   {"--nats", users.URL()},
		"refuses the credentials in " + stranger.File:    {"--nats", users.URL(), "--creds", stranger.File},
		"no NATS server answers at nats://127.0.0.1:1 (": {"--nats", "nats://127.0.0.1:1"},
	} {
		_, errs, code := harness.Run(t, s.Dir, s.Env, append([]string{"worker"}, args...)...)
		require.Equal(t, 1, code, errs)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, want)
	}
	notes := filepath.Join(t.TempDir(), "empty.creds")
	require.NoError(t, os.WriteFile(notes, []byte("nothing\n"), 0o600))
	_, errs, code := harness.Run(t, s.Dir, s.Env, "worker", "--nats", users.URL(), "--creds", notes)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "neither a .creds file nor the seed")
}
