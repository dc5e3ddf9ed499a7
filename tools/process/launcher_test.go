package process

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sh runs a command line in a folder of its own.
func sh(t *testing.T, ctx context.Context, l *Launcher, line string, change func(*Command)) (Finished, error) {
	t.Helper()
	c := shellCommand(line)
	c.Folder = t.TempDir()
	if change != nil {
		change(&c)
	}
	return l.Run(ctx, c)
}

func TestRunGivesOutputAndExitCode(t *testing.T) {
	done, err := sh(t, t.Context(), &Launcher{}, "echo out; echo err >&2; echo more; exit 3", nil)
	require.NoError(t, err)
	require.Equal(t, Output{Head: "out\nerr\nmore\n", Total: 13}, done.Output)
	require.Equal(t, 3, done.ExitCode)
	require.Equal(t, NotStopped, done.Stopped)
	done, err = sh(t, t.Context(), &Launcher{}, "kill -9 $$", nil)
	require.NoError(t, err)
	require.Equal(t, 137, done.ExitCode)
}

func TestRunInItsFolderWithoutInputOrTerminal(t *testing.T) {
	folder := t.TempDir()
	done, err := sh(t, t.Context(), &Launcher{}, "pwd; echo $PWD; cat; (: </dev/tty) 2>/dev/null || echo no terminal", func(c *Command) { c.Folder = folder })
	require.NoError(t, err)
	require.Equal(t, folder+"\n"+folder+"\nno terminal\n", done.Output.Head)
}

func TestWhatCannotStartSaysWhy(t *testing.T) {
	_, err := (&Launcher{}).Run(t.Context(), Command{Name: "no-such-program", Folder: t.TempDir()})
	require.ErrorContains(t, err, `start no-such-program: exec: "no-such-program": executable file not found in $PATH`)
	_, err = sh(t, t.Context(), &Launcher{}, "true", func(c *Command) { c.Folder = "/no/such/folder" })
	require.ErrorIs(t, err, os.ErrNotExist)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	done, err := sh(t, ctx, &Launcher{}, "true", nil)
	require.NoError(t, err)
	require.Equal(t, StopCanceled, done.Stopped)
}

func TestTheEnvironmentHasNoKeys(t *testing.T) {
	secrets := []string{
		"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_ORG_ID", "GEMINI_API_KEY",
		"GOOGLE_API_KEY", "GOOGLE_MAPS_KEY_FILE", "GOOGLE_APPLICATION_CREDENTIALS", "MY_API_KEY", "GITHUB_TOKEN", "token",
		"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "DB_PASSWORD", "CLIENT_SECRET", "Some_Api_Key", "HF_TOKEN",
	}
	kept := []string{"PATH", "HOME", "LANG", "MAX_TOKENS", "KEYBOARD", "GOPATH", "GOOGLE_CLOUD_PROJECT", "SSH_AUTH_SOCK"}
	l := &Launcher{Owner: "run-1", Environ: func() []string {
		environ := []string{"PAWL_RUN=outer", "PAWL_COMMAND=outer-mark"}
		for _, name := range append(secrets, kept...) {
			value := "planted"
			if name == "PATH" {
				value = os.Getenv("PATH")
			}
			environ = append(environ, name+"="+value)
		}
		return environ
	}}
	done, err := sh(t, t.Context(), l, "env", func(c *Command) { c.Environ = []string{"ADDED=1"} })
	require.NoError(t, err)
	got := map[string]string{}
	for line := range strings.Lines(done.Output.Head) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		got[name] = value
	}
	for _, name := range secrets {
		require.NotContains(t, got, name)
	}
	for _, name := range kept {
		require.Contains(t, got, name)
	}
	require.Equal(t, "1", got["ADDED"])
	require.Equal(t, "run-1", got["PAWL_RUN"])
	require.Regexp(t, `^outer-mark:[-0-9a-f]{36}$`, got["PAWL_COMMAND"])
}

func TestTheTimeLimitEndsIt(t *testing.T) {
	var done Finished
	for limit := 300 * time.Millisecond; done.Output.Head == "" || done.ExitCode < 0; limit *= 2 { // a slow machine only starts it by then, or its end is not seen
		var err error
		done, err = sh(t, t.Context(), &Launcher{}, "echo before; sleep 1000", func(c *Command) { c.Limit = limit })
		if err != nil {
			require.ErrorContains(t, err, "goes on trying to end it")
		}
		require.Equal(t, StopTimeLimit, done.Stopped)
	}
	require.Equal(t, "before\n", done.Output.Head)
	require.Equal(t, 128+15, done.ExitCode)
}

func TestTheLatestLineIsReportedWhileItRuns(t *testing.T) {
	folder := t.TempDir()
	gate := filepath.Join(folder, "gate")
	require.NoError(t, os.WriteFile(gate, nil, 0o600))
	var lines []string
	_, err := sh(t, t.Context(), &Launcher{}, `echo one; printf 'down 10%%\rdown 20%%'; while [ -e gate ]; do :; done; printf '\nlast\n'`, func(c *Command) {
		c.Folder = folder
		c.Latest = func(line string) {
			lines = append(lines, line)
			if line == "down 20%" {
				require.NoError(t, os.Remove(gate))
			}
		}
	})
	require.NoError(t, err)
	require.Contains(t, lines, "down 20%")
	require.NotContains(t, lines, "")
}
