package stories

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// Each line of a shell that a page shows is run as a reader would, in a checkout where
// there is one session, and a file run.json of it. What needs a terminal says so; what acts on
// changes that only another session has names that one, 4f2a or 9c1e.
func TestEveryCommandThatThePagesShowRuns(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Done.") })
	r, errs, code := s.Prompted(t, "-p", "audit the refunds")
	require.Equal(t, 0, code, errs)
	withProgramsOfThePages(t, s)
	paths, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	ran := 0
	for _, path := range append(paths, "README.md", "CONTRIBUTING.md", "SECURITY.md", "PERFORMANCE.md") {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
			for line := range strings.Lines(block[1]) {
				if strings.Contains(line, "pawl") && runLine(t, s, path, strings.TrimSpace(line), r.Session) {
					ran++
				}
			}
		}
	}
	require.Greater(t, ran, 25)
}

// withProgramsOfThePages puts pawl on the path, and an ssh that stays here.
func withProgramsOfThePages(t *testing.T, s *harness.Stage) {
	t.Helper()
	path, err := harness.Binary()
	require.NoError(t, err)
	programs := t.TempDir()
	require.NoError(t, os.Symlink(path, filepath.Join(programs, "pawl")))
	require.NoError(t, os.WriteFile(filepath.Join(programs, "ssh"), []byte("#!/bin/sh\nshift\nexec \"$@\"\n"), 0o700))
	s.With("PATH=" + programs + ":" + os.Getenv("PATH"))
}

// elsewhere is a line about a session that is not in the checkout, for another machine, which internal/stories/machines
// plays, or about a release, which update_test.go plays: this build knows no key.
var elsewhere = regexp.MustCompile(`pawl (land|rewind|fork) (4f2a|9c1e)|pawl worker|pawl update`)

// runLine runs a line of a page about a session, and says whether it needed no terminal.
func runLine(t *testing.T, s *harness.Stage, path, line, session string) bool {
	t.Helper()
	if elsewhere.MatchString(line) {
		return false
	}
	run := func(line string) ([]byte, error) {
		shell := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", line)
		shell.Dir, shell.Env, shell.WaitDelay = s.Dir, s.Env, modeltest.Patience
		if strings.Contains(line, "--input-format stream-json") {
			shell.Stdin = strings.NewReader(`{"type":"message","text":"why do the tests fail?"}` + "\n")
		}
		return shell.CombinedOutput()
	}
	if strings.Contains(line, "pawl rm") {
		other, errs, code := s.Prompted(t, "-p", "to be deleted")
		require.Equal(t, 0, code, errs)
		session = other.Session
	}
	for _, pattern := range []string{"run.json", "pawl-*"} { // what lines before it wrote
		files, err := filepath.Glob(filepath.Join(s.Dir, pattern))
		require.NoError(t, err)
		for _, file := range files {
			require.NoError(t, os.Remove(file))
		}
	}
	if strings.Contains(line, "run.json") && !strings.Contains(line, "-o run.json") {
		out, err := run("pawl export " + session + " --format json -o run.json")
		require.NoError(t, err, string(out))
	}
	out, err := run(strings.ReplaceAll(line, " ID", " "+session))
	if err != nil && strings.Contains(string(out), "needs a terminal") {
		return false
	}
	require.NoError(t, err, "%s: %s\n%s", path, line, out)
	return true
}
