//go:build linux

package machines

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/natstest"
)

func behind(description, line string) modeltest.Call {
	return modeltest.Use("shell", modeltest.Object{"command": line, "description": description, "run_in_background": true})
}

// Commands in the background run on the machine of their subagent, and end with it.
func TestCommandsInTheBackgroundRunWhereTheirSubagentIs(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("shell_output"):
			return modeltest.Say("It has served.")
		case h.Answered("shell"):
			var told struct {
				Shell string `json:"shell_id"`
			}
			_ = json.Unmarshal([]byte(h.ResultsOf("shell")[0]), &told) // what is none finds no shell
			return modeltest.Do(modeltest.Use("shell_output", modeltest.Object{"shell_id": told.Shell, "wait_ms": 60_000}))
		}
		return modeltest.Do(behind("a short one", "pwd; exit 3"), behind("a watcher", "exec sleep 3333"))
	})
	m := s.worker(t)
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "have it built")
	require.Equal(t, 0, code, errs)
	output := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("build") && h.Answered("shell_output") }).ResultsOf("shell_output")[0]
	require.Contains(t, output, m.home)
	require.Contains(t, output, `"exit_code":3`)
	m.requireBare(t)
	require.Contains(t, s.export(t, r.Session), `"run_end"`)
}

// Hooks are the user's programs, and run at home whatever machine a subagent is on.
func TestHooksOfASubagentElsewhereRunAtHome(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("Tried it: " + strings.Join(h.ResultsOf("shell"), " "))
		}
		return modeltest.Do(
			modeltest.Use("shell", modeltest.Object{"command": "touch yes.txt"}), modeltest.Use("shell", modeltest.Object{"command": "touch no.txt"}),
		)
	})
	s.Configured(t, `
[[hooks]]
event = "PermissionRequest"
match = "shell"
command = '''
case $(cat) in
*touch\ yes*) touch "$PAWL_HOME/asked"; echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}' ;;
*touch\ no*) echo 'no such files here' >&2; exit 2 ;;
esac'''
`)
	m := s.worker(t)
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 0, code, errs)
	require.FileExists(t, filepath.Join(s.Home, "asked"))
	require.NoFileExists(t, filepath.Join(m.home, "asked"))
	got := s.parentTold(t)
	require.Contains(t, got.Output, "no such files here")
	require.FileExists(t, filepath.Join(got.Worktree.Path, "yes.txt"))
	require.NoFileExists(t, filepath.Join(got.Worktree.Path, "no.txt"))
}

// A subagent that is resumed goes on where its worktree at home is by now.
func TestAResumedSubagentBeginsWithItsWorktree(t *testing.T) {
	t.Parallel()
	var agent string
	s := setFor(t, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build") && h.Asked("and again"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "cat hole.txt drafts.txt staged.txt; echo deeper >> hole.txt"}))
		case h.Child("build") && h.Answered("shell"):
			return modeltest.Say("It held " + h.ResultsOf("shell")[0])
		case h.Child("build") && h.Answered("write"):
			return modeltest.Say("Built it.")
		case h.Child("build"):
			return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "hole.txt", "content": "deep\n"}))
		case h.Answered("agent") && agent == "":
			agent = harness.AgentOf(h)
			return modeltest.Do(away(false, modeltest.Object{"resume": agent, "prompt": "and again"}))
		case h.Answered("agent"):
			return modeltest.Say("Done.")
		}
		return modeltest.Do(away(false))
	}).dirty(t)
	m := s.worker(t)
	_, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "have it built")
	require.Equal(t, 0, code, errs)
	got := toldIn(t, s.Server.AwaitNth(t, 2, modeltest.ParentTold("agent")).ResultsOf("agent")[0])
	require.Contains(t, got.Output, "deep\na draft\nstaged\n")
	require.Equal(t, "deep\ndeeper\n", read(t, got.Worktree.Path, "hole.txt"))
	m.requireBare(t)
}

// dirty leaves a file, and a staged one, that are not committed.
func (s *stage) dirty(t *testing.T) *stage {
	t.Helper()
	writeFile(t, filepath.Join(s.Dir, "drafts.txt"), "a draft\n")
	writeFile(t, filepath.Join(s.Dir, "staged.txt"), "staged\n")
	gittest.Run(t, s.Dir, "add", "staged.txt")
	return s
}

const otherKey = "sk-of-the-other-machine-987"

// By default a subagent elsewhere uses the keys of the machine that it is on.
func TestASubagentElsewhereUsesTheKeysOfItsMachine(t *testing.T) {
	t.Parallel()
	var s *stage
	s = setFor(t, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build"):
			s.Server.Takes(modeltest.Key)
			return modeltest.Say("Built it.")
		case h.Answered("agent"):
			return modeltest.Say("Done.")
		}
		s.Server.Takes(otherKey)
		return modeltest.Do(away(false))
	})
	home := s.Env
	for i, variable := range home {
		if name, value, _ := strings.Cut(variable, "="); value == modeltest.Key {
			s.Env = append(s.Env[:i:i], append([]string{name + "=" + otherKey}, s.Env[i+1:]...)...)
		}
	}
	m := s.worker(t)
	s.Env = home
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 0, code, errs)
	require.Equal(t, []string{modeltest.Key, otherKey, modeltest.Key}, s.Server.Keys())
	m.requireBare(t)
}

// Keys that are lent pass the server only where everything on the way is encrypted, and stay in memory.
func TestKeysAreLentOverTLSAndLeaveNoTrace(t *testing.T) {
	t.Parallel()
	for name, nats := range map[string]*natstest.Server{"tls": natstest.Start(t, natstest.WithTLS()), "open": natstest.Start(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setOn(t, nats, func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("build") && h.Answered("shell"):
					return modeltest.Say("Built it.")
				case h.Child("build"):
					return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "env; cat /proc/$PPID/environ | tr '\\0' '\\n'"}))
				case h.Answered("agent"):
					return modeltest.Say("Done.")
				}
				return modeltest.Do(away(false))
			})
			s.With("PAWL_REMOTE_CA=" + nats.CA())
			passed := passing(t, nats)
			home := s.Env
			var keyless []string
			for _, variable := range home {
				if _, value, _ := strings.Cut(variable, "="); value != modeltest.Key {
					keyless = append(keyless, variable)
				}
			}
			s.Env = keyless
			m := s.worker(t)
			s.Env = append(home, "PAWL_REMOTE_KEYS=lend")
			_, _, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "have it built")
			got := s.parentTold(t)
			if name == "open" {
				require.Equal(t, 3, code)
				require.Contains(t, got.Error.Message, "TLS")
				require.NotContains(t, got.Error.Message, "\n")
				return
			}
			require.Equal(t, "completed", got.Status, got.Error.Message)
			env := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("build") && h.Answered("shell") }).ResultsOf("shell")[0]
			require.Contains(t, env, m.home)
			require.NotContains(t, env, modeltest.Key)
			requireNowhere(t, m.home, modeltest.Key)
			require.NotContains(t, passed(), modeltest.Key)
			require.NotContains(t, passed(), "Built it.", "nor what else is said")
			require.NotContains(t, m.says(), modeltest.Key)
		})
	}
}

// passing is what passes a server from now on, as who administers it sees that.
func passing(t *testing.T, server *natstest.Server) (all func() string) {
	t.Helper()
	var options []nats.Option
	if server.CA() != "" {
		options = append(options, nats.RootCAs(server.CA()))
	}
	nc, err := nats.Connect(server.URL(), options...)
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	var mu sync.Mutex
	var passed bytes.Buffer
	_, err = nc.Subscribe(">", func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		passed.Write(m.Data)
	})
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	return func() string {
		require.NoError(t, nc.Flush())
		mu.Lock()
		defer mu.Unlock()
		return passed.String()
	}
}

// requireNowhere looks for a text in all files below a folder.
func requireNowhere(t *testing.T, folder, text string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			held, _ := os.ReadFile(path) // it may be gone
			require.NotContains(t, string(held), text, path)
		}
		return nil
	}))
}
