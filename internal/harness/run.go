//go:build unix

package harness

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Run runs Pawl without a terminal and gives what it wrote and its exit code.
func Run(t testing.TB, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return RunWith(t, "", dir, env, args...)
}

// RunWith is Run with text on standard input.
func RunWith(t testing.TB, stdin, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	path, err := Binary()
	require.NoError(t, err)
	return RunBy(t, path, stdin, dir, env, args...)
}

// RunBy is RunWith of another build.
func RunBy(t testing.TB, path, stdin, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*modeltest.Patience) // it does all of its work, not one thing
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, modeltest.Patience
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	require.NoError(t, ctx.Err(), "pawl %q does not end; it said:\n%s%s", args, out.String(), errs.String())
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		require.NoError(t, err)
	}
	RequireNoRaces(t, errs.String(), env)
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// RequireNoRaces looks at what Pawl said and at its crash file, where the race
// detector writes as well.
func RequireNoRaces(t testing.TB, said string, env []string) {
	t.Helper()
	crash, _ := os.ReadFile(filepath.Join(Variable(env, "PAWL_HOME"), "state", "crash.log")) // nearly never there
	for _, text := range []string{said, string(crash)} {
		require.NotContains(t, text, "DATA RACE")
	}
}

// Variable is the value of a variable in an environment, where the last one of a name counts.
func Variable(env []string, name string) (found string) {
	for _, variable := range env {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			found = value
		}
	}
	return found
}

// RequireOneLine holds an error to the one line that errors have, without a stack trace.
func RequireOneLine(t testing.TB, text string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(text, "\n"), "not one line: %q", text)
	require.NotContains(t, text, "goroutine ")
	require.NotContains(t, text, "panic")
	require.NotContains(t, text, modeltest.Key)
}
