package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What a release may take: an archive, what it is when installed, and the time from the package to
// the first picture.
const (
	largestArchive   = 15_000_000
	largestOfAlpine  = 15 << 20 // nfpm compresses it less, and cannot be told to compress it more
	largestInstalled = 40_000_000
	longestInstall   = 5 * time.Second
)

func TestWhatAReleaseTakes(t *testing.T) {
	for path, text := range files(t, dist(t)) {
		largest := largestArchive
		if strings.HasSuffix(path, ".apk") {
			largest = largestOfAlpine
		}
		require.LessOrEqual(t, len(text), largest, path)
		t.Logf("%5.1f MB %s", float64(len(text))/1e6, path)
	}
}

// A Debian with nothing in it but what each has.
func TestThePackageOfDebianInACleanRoot(t *testing.T) {
	_ = dist(t) // skips before a root is made for nothing
	root := cleanRoot(t)
	for _, name := range []string{"pawl", "pawl-server"} {
		text, err := os.ReadFile(only(t, name+"_*_linux_"+runtime.GOARCH+".deb"))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(root+"/tmp/"+name+".deb", text, 0o600))
	}
	env := []string{"HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TERM=xterm-256color", "LANG=C.UTF-8"}

	begun := time.Now()
	does(t, "/", env, "chroot", root, "dpkg", "-i", "/tmp/pawl.deb")
	firstPicture(t, within(t, root, env, "pawl", "demo"))
	took := time.Since(begun) // with what it takes to leave
	t.Logf("from the package to the first picture, and out: %v", took.Round(time.Millisecond))
	require.LessOrEqual(t, took, longestInstall)

	require.Regexp(t, `^pawl \d[^ ]* \([0-9a-f]{12} of 20.*\) go.*, release key [0-9A-F]{16}\n$`, does(t, "/", env, "chroot", root, "pawl", "version"))
	require.LessOrEqual(t, installed(t, root, env), int64(largestInstalled))
	fails(t, within(t, root, env, "pawl", "update"), "a package has installed it: renew that with apt")
	fails(t, within(t, root, env, "pawl", "worker", "--serve", "127.0.0.1:0"), "install the package pawl-server")
	does(t, "/", env, "chroot", root, "dpkg", "-i", "/tmp/pawl-server.deb")
	require.Contains(t, does(t, "/", env, "chroot", root, "pawl-server", "--help"), "A NATS server with JetStream")
	does(t, "/", env, "chroot", root, "dpkg", "--purge", "pawl", "pawl-server")
	require.NoFileExists(t, root+"/usr/bin/pawl")
}

// installed is what the files of the package take.
func installed(t *testing.T, root string, env []string) (bytes int64) {
	t.Helper()
	for path := range strings.Lines(does(t, "/", env, "chroot", root, "dpkg", "-L", "pawl")) {
		info, err := os.Lstat(filepath.Join(root, strings.TrimSpace(path)))
		require.NoError(t, err)
		if info.Mode().IsRegular() {
			bytes += info.Size()
		}
	}
	t.Logf("installed: %.1f MB", float64(bytes)/1e6)
	return bytes
}

// within is a program in a root of its own.
func within(t *testing.T, root string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "chroot", append([]string{root}, args...)...)
	cmd.Dir, cmd.Env = "/", env
	return cmd
}

// cleanRoot makes a Debian by debootstrap, with /proc and the terminals of this machine.
func cleanRoot(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a root folder")
	}
	if _, err := exec.LookPath("debootstrap"); err != nil {
		t.Skip("debootstrap is not installed (apt-get install debootstrap)")
	}
	root := filepath.Join(t.TempDir(), "root")
	does(t, "/", os.Environ(), "debootstrap", "--variant=minbase", "stable", root)
	mount := func(source, at, kind string, flags uintptr) {
		require.NoError(t, os.MkdirAll(root+at, 0o755))
		require.NoError(t, syscall.Mount(source, root+at, kind, flags, ""))
		t.Cleanup(func() { require.NoError(t, syscall.Unmount(root+at, syscall.MNT_DETACH)) })
	}
	mount("proc", "/proc", "proc", 0)
	mount("/dev/pts", "/dev/pts", "", syscall.MS_BIND)
	return root
}
