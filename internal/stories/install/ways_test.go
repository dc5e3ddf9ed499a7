package install

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheScriptInstallsTheArchive(t *testing.T) {
	archive := only(t, "pawl_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz")
	home, env := person(t)
	require.Contains(t, does(t, home, env, "sh", only(t, "install.sh"), "--with-server", "--prefix", home+"/.local", archive), "pawl ")
	for _, name := range []string{
		"bin/pawl-server",
		"share/man/man1/pawl.1", "share/bash-completion/completions/pawl", "share/zsh/site-functions/_pawl", "share/fish/vendor_completions.d/pawl.fish",
	} {
		info, err := os.Stat(filepath.Join(home, ".local", name))
		require.NoError(t, err)
		require.NotZero(t, info.Size(), name)
	}
	comes(t, home, env, home+"/.local/bin/pawl")

	server := httptest.NewServer(http.FileServer(http.Dir(dist(t))))
	defer server.Close()
	env = append(env, "PAWL_UPDATE_ADDRESS="+server.URL)
	require.Contains(t, does(t, home, env, home+"/.local/bin/pawl", "update"), "is the newest", "the release is signed with the key of its programs")
}

func TestNPMInstallsThePackage(t *testing.T) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed")
	}
	home, env := person(t)
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	own := only(t, "npm/pawl-"+runtime.GOOS+"-"+arch+"-*.tgz")
	all := filepath.Join(filepath.Dir(own), strings.Replace(filepath.Base(own), "-"+runtime.GOOS+"-"+arch, "", 1))
	does(t, home, env, npm, "install", "--offline", "--no-audit", "--no-fund", own, all)
	comes(t, home, env, home+"/node_modules/.bin/pawl")

	fails(t, command(t, home, env, home+"/node_modules/.bin/pawl", "update"), "npm has installed it")
}

// comes requires that a program says its version and shows the demo.
func comes(t *testing.T, home string, env []string, program string) {
	t.Helper()
	require.True(t, strings.HasPrefix(does(t, home, env, program, "version"), "pawl "))
	firstPicture(t, command(t, home, env, program, "demo"))
}

func command(t *testing.T, folder string, env []string, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
	cmd.Dir, cmd.Env = folder, env
	return cmd
}

// Another folder, another umask and another hour make no difference: the lists of hashes are equal.
func TestTwoBuildsOfACommitGiveTheSameBytes(t *testing.T) {
	folder := dist(t)
	if does(t, ".", os.Environ(), "git", "status", "--porcelain") != "" {
		t.Skip("there are changes here that are in no commit")
	}
	clone := filepath.Join(t.TempDir(), "clone")
	does(t, ".", os.Environ(), "git", "clone", "-q", ".", clone)
	does(t, clone, append(os.Environ(), "TZ=Asia/Tokyo"), "sh", "-c", "umask 077 && make release-snapshot")
	one, other := files(t, folder), files(t, filepath.Join(clone, "dist"))
	require.Equal(t, slices.Sorted(maps.Keys(one)), slices.Sorted(maps.Keys(other)))
	for path, text := range one {
		require.True(t, bytes.Equal(text, other[path]), path)
	}
	t.Logf("%d files of two builds are equal", len(one))
}

// files are what a release consists of, by their paths in its folder.
func files(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, pattern := range []string{"checksums.txt*", "*.tar.gz", "*.deb", "*.rpm", "*.apk", "*.pkg.tar.zst", "*.cdx.json", "npm/*.tgz", "homebrew/*", "nix/*", "docker/*", "install.sh"} {
		found, err := fs.Glob(os.DirFS(folder), pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		for _, path := range found {
			all[path], err = os.ReadFile(filepath.Join(folder, path))
			require.NoError(t, err)
		}
	}
	return all
}
