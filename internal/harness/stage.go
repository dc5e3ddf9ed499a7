//go:build unix

package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/modeltest"
)

// Stage is where a story plays: a model server, a checkout, and a home of its own.
type Stage struct {
	Server *modeltest.Server
	Model  string   // for --model, in the stage's protocol
	Dir    string   // where Pawl is started
	Home   string   // PAWL_HOME
	Env    []string // all of it; the last one of a name counts

	verifier func() (path string, err error)
}

// NewStage makes a stage in a protocol, with a model that answers by script.
func NewStage(t testing.TB, p modeltest.Protocol, script func(modeltest.Request) modeltest.Reply) *Stage {
	t.Helper()
	return NewStageIn(t, gittest.Checkout(t), p, script)
}

// NewStageIn is NewStage in any folder.
func NewStageIn(t testing.TB, dir string, p modeltest.Protocol, script func(modeltest.Request) modeltest.Reply) *Stage {
	t.Helper()
	s := &Stage{Server: modeltest.Listen(t, script), Model: p.Model, Dir: dir, Home: t.TempDir(), verifier: Installed}
	s.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PAWL_HOME=" + s.Home, "TMPDIR=" + t.TempDir(),
		"TERM=xterm-256color", "LANG=C.UTF-8",
		"PAWL_ON_HANGUP=stop",       // so that nothing outlives a test that lets go of its terminal
		"GORACE=atexit_sleep_ms=20", // the race detector's default is a second at every exit
	}, s.Server.Environ()...)
	t.Cleanup(func() { s.verified(t) })
	return s
}

// verified holds whatever sessions the stage has made against "pawl verify", when its test
// is over and its processes are gone: every story is a proof of what that promises. A
// database that a story has broken is not for it to judge. It reads alone and nobody beside it
// writes, so the build without the race detector does, which takes a third of the time.
func (s *Stage) verified(t testing.TB) {
	t.Helper()
	s.EndHosts(t)
	if _, err := os.Stat(s.Database()); err != nil || t.Failed() {
		return
	}
	env := []string{"HOME=" + s.Home, "PAWL_HOME=" + s.Home, "GORACE=atexit_sleep_ms=20"}
	path, err := s.verifier()
	require.NoError(t, err)
	list, errs, code := RunBy(t, path, "", s.Home, env, "sessions", "--all")
	if code != 0 {
		t.Logf("the sessions of %s were not verified: %s", s.Home, errs)
	}
	if strings.HasPrefix(list, "No sessions") {
		return
	}
	for line := range strings.Lines(list) {
		out, errs, code := RunBy(t, path, "", s.Home, env, "verify", strings.Fields(line)[0])
		require.Zero(t, code, "pawl verify: %s%s", out, errs)
	}
}

// VerifiedBy has another build hold the stage's sessions against "pawl verify" at the end.
func (s *Stage) VerifiedBy(build func() (path string, err error)) *Stage {
	s.verifier = build
	return s
}

// With adds variables; the last one of a name counts.
func (s *Stage) With(variables ...string) *Stage {
	s.Env = append(s.Env, variables...)
	return s
}

// Exports is where keys put what they export.
func (s *Stage) Exports() string { return filepath.Join(s.Home, "data", "exports") }

// Flags are the arguments with the stage's model in front.
func (s *Stage) Flags(args ...string) []string { return append([]string{"--model", s.Model}, args...) }

// Command is a prompt to be started, and ended with the test.
func (s *Stage) Command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	path, err := Binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, s.Flags(args...)...)
	cmd.Dir, cmd.Env = s.Dir, s.Env
	return cmd
}

// Database is the stage's.
func (s *Stage) Database() string { return filepath.Join(s.Home, "data", "pawl.db") }

// Configured writes the user's config.toml.
func (s *Stage) Configured(t testing.TB, text string) *Stage {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(s.Home, "config"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(s.Home, "config", "config.toml"), []byte(text), 0o600))
	return s
}
