package stories

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// releases are builds of the program as two releases, both with one key, and a server that offers
// one of them. Linking them takes some seconds each.
type releases struct {
	*httptest.Server
	folder string // what the server has
	secret minisign.PrivateKey
	builds map[string]string // the path of a version
}

func newReleases(t *testing.T, versions ...string) *releases {
	t.Helper()
	public, secret, err := minisign.GenerateKey(rand.Reader)
	require.NoError(t, err)
	r := &releases{folder: t.TempDir(), secret: secret, builds: map[string]string{}}
	for _, version := range versions {
		flags := "-ldflags=-s -w -X pawl/internal/base.version=" + version + " -X pawl/internal/base.releaseKey=" + public.String()
		r.builds[version], err = harness.Build("pawl-"+version, ".", "-tags", "grpcnotrace", flags, "-race=false")
		require.NoError(t, err)
	}
	r.Server = httptest.NewServer(http.FileServer(http.Dir(r.folder)))
	t.Cleanup(r.Close)
	return r
}

// offer puts one version on the server.
func (r *releases) offer(t *testing.T, version string) {
	t.Helper()
	name := fmt.Sprintf("pawl_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
	build := t.TempDir()
	require.NoError(t, os.Symlink(r.builds[version], filepath.Join(build, "pawl")))
	out, err := exec.CommandContext(t.Context(), "tar", "-czhf", filepath.Join(r.folder, name), "-C", build, "pawl").CombinedOutput()
	require.NoError(t, err, string(out))
	archive, err := os.ReadFile(filepath.Join(r.folder, name))
	require.NoError(t, err)
	list := fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(archive), name)
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, "checksums.txt"), list, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, "checksums.txt.minisig"), minisign.Sign(r.secret, list), 0o600))
}

// A session that works while its program is replaced goes on with the old one, subagents in processes
// of their own included; the new program reaches it, and the old one comes back.
func TestAnUpdateTakesNoOpenSessionItsProgram(t *testing.T) {
	t.Parallel()
	r := newReleases(t, "1.0.0", "1.1.0")
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("Nothing is down there.")
		case h.Answered("agent"):
			return modeltest.Say("It has dug.")
		case h.Answered("shell"):
			return modeltest.Do(modeltest.Delegate("a dig", "dig to the bottom"))
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "true"})).Until(release)
	}).With("PAWL_UPDATE_ADDRESS=" + r.URL)
	program := filepath.Join(s.Home, "pawl")
	text, err := os.ReadFile(r.builds["1.0.0"])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, text, 0o755))
	pawl := func(want int, args ...string) string {
		t.Helper()
		out, errs, code := harness.RunBy(t, program, "", s.Dir, s.Env, args...)
		require.Equal(t, want, code, "%v: %s%s", args, out, errs)
		if want != 0 {
			harness.RequireOneLine(t, errs)
		}
		return out + errs
	}

	id := strings.TrimSpace(pawl(0, s.Flags("-p", "--detach", "--permission-mode", "bypass", "begin")...))
	s.Server.Await(t, modeltest.FromParent)
	r.offer(t, "1.1.0")
	require.Contains(t, pawl(0, "update", "--check"), "there is 1.1.0, and this is 1.0.0")
	require.Contains(t, pawl(0, "version"), "pawl 1.0.0 ")
	require.Contains(t, pawl(0, "update"), "is 1.1.0 now; 1.0.0 is kept")
	require.Regexp(t, `^pawl 1\.1\.0 .*, release key [0-9A-F]{16}\n$`, pawl(0, "version"))
	require.Eventually(t, func() bool { return strings.Contains(pawl(0, "ps"), "works") }, modeltest.Patience, 10*time.Millisecond, "its host has a second for the answer")
	close(release)
	require.Equal(t, "It has dug.\n", pawl(0, "wait", id))

	require.Contains(t, pawl(0, "update"), "pawl 1.1.0 is the newest")
	r.offer(t, "1.0.0")
	require.Contains(t, pawl(1, "update"), "pawl update: the newest release there is 1.0.0, older than this program (1.1.0): nothing is changed")
	require.Contains(t, pawl(0, "version"), "pawl 1.1.0 ")
	require.Contains(t, pawl(0, "update", "--rollback"), "is 1.0.0 again")
	require.Contains(t, pawl(0, "version"), "pawl 1.0.0 ")
}

func TestABuildWithoutAKeyTakesNoRelease(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), nil)
	for _, args := range [][]string{{"update"}, {"update", "--check"}, {"update", "--rollback"}} {
		require.True(t, strings.HasPrefix(turnedDown(t, s, 1, args...), "pawl update: this build knows no key"), args)
	}
	require.Contains(t, turnedDown(t, s, 2, "update", "now"), "usage: pawl update")
	require.Regexp(t, `^pawl dev .*, without a release key\n$`, ran(t, s, "version"))
}
