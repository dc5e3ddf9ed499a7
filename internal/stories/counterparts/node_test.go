//go:build unix

package counterparts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// own is the folder of what is installed from, seen from the root of the repository.
const own = "internal/stories/counterparts"

// programFor is the path of a program that a test needs, which is skipped where it is not.
func programFor(t *testing.T, name, from string) string {
	t.Helper()
	if !soaktest.Wanted() {
		t.Skip("counterparts are played by make soak")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("there is no %s here: %s", name, from)
	}
	return path
}

// install installs everything of node/ once a test process, and gives the folder.
var install = sync.OnceValues(func() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "pawl-counterparts-"); err != nil {
		return "", err
	}
	if err = os.CopyFS(folder, os.DirFS(filepath.Join(own, "node"))); err != nil {
		return folder, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	// No script of theirs runs while they are installed.
	cmd := exec.CommandContext(ctx, "npm", "ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund")
	if said, err := cmd.CombinedOutput(); err != nil {
		return folder, fmt.Errorf("npm ci: %w\n%s", err, said)
	}
	installed = folder
	return folder, nil
})

var installed string

func uninstall() { _ = os.RemoveAll(installed) } // a temporary folder: the system would sweep it too

// node is the folder in which the counterparts of npm are, with the drivers beside them.
func node(t *testing.T) (folder string) {
	t.Helper()
	programFor(t, "node", "install Node.js 20 or newer")
	programFor(t, "npm", "it comes with Node.js")
	folder, err := install()
	require.NoError(t, err)
	return folder
}

// versionOf is the version of a package as it is installed.
func versionOf(t *testing.T, pkg string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(node(t), "node_modules", pkg, "package.json"))
	require.NoError(t, err)
	var about struct{ Version string }
	require.NoError(t, json.Unmarshal(text, &about))
	return about.Version
}

// run runs a program of the counterparts to its end, with text for it, and gives what it printed.
func run(t *testing.T, folder, stdin, name string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a compiler may run
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = folder, bytes.NewBufferString(stdin), &out, &errs
	require.NoError(t, cmd.Run(), "%s %q: %s%s", name, args, out.String(), errs.String())
	return out.Bytes()
}

// serve starts a server of theirs until the test ends, and gives the URL that it says, at
// the end of a line, that it listens at.
func serve(t *testing.T, environ []string, name string, args ...string) (url string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env, cmd.Dir = append(os.Environ(), environ...), t.TempDir()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() }) // its context has ended by then
	at := make(chan string, 1)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(at)
		address := regexp.MustCompile(`127\.0\.0\.1:\d+$`)
		found := false
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if there := address.FindString(lines.Text()); there != "" && !found {
				found = true
				at <- "http://" + there
			}
		}
	})
	t.Cleanup(reading.Wait)
	select {
	case url, ok := <-at:
		require.True(t, ok, "%s says no address", name)
		return url
	case <-time.After(modeltest.Patience):
		require.FailNow(t, "the server does not start", name)
		return ""
	}
}
