package stories

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

// stage is where a story plays: a model server, a checkout, and a home of its own.
type stage struct {
	server *modelServer
	model  string
	dir    string
	home   string // PAWL_HOME
	env    []string
}

// set makes a stage in a protocol, with a model that answers by script.
func set(t testing.TB, p protocol, script func(heard) reply) *stage {
	t.Helper()
	return setIn(t, gittest.Checkout(t), p, script)
}

// setIn is set in any folder.
func setIn(t testing.TB, dir string, p protocol, script func(heard) reply) *stage {
	t.Helper()
	s := &stage{server: listen(t, script), model: p.model, dir: dir, home: t.TempDir()}
	s.env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PAWL_HOME=" + s.home, "TMPDIR=" + t.TempDir(),
		"TERM=xterm-256color", "LANG=C.UTF-8",
		"GORACE=atexit_sleep_ms=20", // the race detector's default is a second at every exit
	}, s.server.environ()...)
	t.Cleanup(func() { s.verified(t) })
	return s
}

// verified holds whatever sessions the stage has made against "pawl verify", when its test
// is over and its processes are gone: every story is a proof of what that promises. A
// database that a story has broken is not for it to judge.
func (s *stage) verified(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(s.database()); err != nil || t.Failed() {
		return
	}
	env := []string{"HOME=" + s.home, "PAWL_HOME=" + s.home, "GORACE=atexit_sleep_ms=20"}
	list, errs, code := run(t, s.home, env, "sessions", "--all")
	if code != 0 {
		t.Logf("the sessions of %s were not verified: %s", s.home, errs)
	}
	for line := range strings.Lines(list) {
		out, errs, code := run(t, s.home, env, "verify", strings.Fields(line)[0])
		require.False(t, code == 1 && out != "", "%s", out)
		if code != 0 {
			t.Logf("a session of %s was not verified: %s", s.home, errs)
		}
	}
}

// with adds variables; the last one of a name counts.
func (s *stage) with(variables ...string) *stage {
	s.env = append(s.env, variables...)
	return s
}

// exports is where keys put what they export.
func (s *stage) exports() string { return filepath.Join(s.home, "data", "exports") }

// flags are the arguments with the stage's model in front.
func (s *stage) flags(args ...string) []string { return append([]string{"--model", s.model}, args...) }

// run runs Pawl without a terminal and gives what it wrote and its exit code.
func run(t testing.TB, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return runWith(t, "", dir, env, args...)
}

// runWith is run with text on standard input.
func runWith(t testing.TB, stdin, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	return runBy(t, path, stdin, dir, env, args...)
}

// runBy is runWith of another build.
func runBy(t testing.TB, path, stdin, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*patience) // it does all of its work, not one thing
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	require.NoError(t, ctx.Err(), "pawl %q does not end; it said:\n%s%s", args, out.String(), errs.String())
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	requireNoRaces(t, errs.String(), env)
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// requireNoRaces looks at what Pawl said and at its crash file, where the race
// detector writes as well.
func requireNoRaces(t testing.TB, said string, env []string) {
	t.Helper()
	crash, _ := os.ReadFile(filepath.Join(homeIn(env), "state", "crash.log")) // nearly never there
	for _, text := range []string{said, string(crash)} {
		require.NotContains(t, text, "DATA RACE")
	}
}

// homeIn is PAWL_HOME in an environment, where the last one of a name counts.
func homeIn(env []string) (home string) {
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, "PAWL_HOME="); ok {
			home = value
		}
	}
	return home
}

// command is a prompt to be started, and ended with the test.
func (s *stage) command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, s.flags(args...)...)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// report is the object of --output-format json, as far as the tests read it.
type report struct {
	Status    string
	Output    string
	ExitCode  int `json:"exit_code"`
	Session   string
	Error     *struct{ Kind, Message string }
	Usage     map[string]any
	Denials   []struct{ Subject, By string }
	Subagents []struct {
		Agent       string `json:"agent_id"`
		Description string
		Status      string
		Cause       string
		Error       struct{ Kind, Message string }
		Output      string
		Usage       map[string]any
		Denials     []struct{ Subject, By string }
	}
	Shells []struct {
		Status string
		Cause  string
	}
}

// prompted runs one prompt with --output-format json.
func (s *stage) prompted(t testing.TB, args ...string) (report, string, int) {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	return s.promptedBy(t, path, args...)
}

// promptedBy is prompted of another build.
func (s *stage) promptedBy(t testing.TB, path string, args ...string) (report, string, int) {
	t.Helper()
	out, errs, code := runBy(t, path, "", s.dir, s.env, s.flags(append([]string{"--output-format", "json"}, args...)...)...)
	var r report
	require.NoError(t, json.Unmarshal([]byte(out), &r), "standard output:\n%s\nstandard error:\n%s", out, errs)
	require.Equal(t, code, r.ExitCode)
	return r, errs, code
}

// requireOneLine holds an error to the one line that errors have, without a stack trace.
func requireOneLine(t testing.TB, text string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(text, "\n"), "not one line: %q", text)
	require.NotContains(t, text, "goroutine ")
	require.NotContains(t, text, "panic")
	require.NotContains(t, text, rightKey)
}
