package stories

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// caged is a stage whose folder is a checkout outside of the temporary folders, and a
// folder beside it.
func caged(t *testing.T, script func(outside string) func(modeltest.Request) modeltest.Reply) (s *harness.Stage, outside string) {
	t.Helper()
	if !hasLandlock() {
		t.Skip("this kernel has no Landlock")
	}
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	base, err := os.MkdirTemp(home, "pawl-caged")
	if err != nil {
		t.Skipf("the home folder cannot be written: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	outside = filepath.Join(base, "out")
	require.NoError(t, os.Mkdir(outside, 0o755))
	s = harness.NewStage(t, modeltest.Anthropic(), script(outside))
	s.Dir = filepath.Join(base, "in")
	require.NoError(t, os.Mkdir(s.Dir, 0o755))
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", s.Dir).Run())
	return s, outside
}

// A model's shell is kept inside, as a subagent in a process of its own too; what it
// is kept from the model is told.
func TestAModelsShellIsKeptInside(t *testing.T) {
	t.Parallel()
	const reading = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | grep -c sk-`
	s, outside := caged(t, func(outside string) func(modeltest.Request) modeltest.Reply {
		escape := modeltest.Use("shell", modeltest.Object{"command": "echo bad > " + outside + "/new"})
		return func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("escape") && h.Answered("shell"):
				return modeltest.Say("It is not allowed.")
			case h.Child("escape"):
				return modeltest.Do(escape)
			case h.Answered("task"):
				return modeltest.Say("Kept inside.")
			case h.Answered("shell"):
				return modeltest.Do(task("escape", false))
			}
			return modeltest.Do(
				escape,
				modeltest.Use("shell", modeltest.Object{"command": "echo x > .git/hooks/pre-commit"}),
				modeltest.Use("shell", modeltest.Object{"command": reading}),
				modeltest.Use("shell", modeltest.Object{"command": "echo fine > made && git add made && git -c user.name=a -c user.email=a@b commit -qm made && echo committed"}),
			)
		}
	})
	r, errs, code := s.Prompted(t, "-p", "get out", "--permission-mode", "bypass")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "Kept inside.", r.Output)
	told := s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")
	require.Len(t, told, 4)
	const kept = "the sandbox lets commands write only below "
	require.Contains(t, told[0], kept+s.Dir)
	require.Regexp(t, `(?s)^0\n.*exit code 1`, told[2], "no key is in sight")
	require.Contains(t, told[3], "committed")
	child := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("escape") && h.Answered("shell") })
	require.Contains(t, child.ResultsOf("shell")[0], kept+s.Dir)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, entries)
	if frozenHere(t, s) {
		require.Contains(t, told[1], "the sandbox keeps commands from changing "+s.Dir+"/.git/hooks/pre-commit")
		require.NoFileExists(t, s.Dir+"/.git/hooks/pre-commit")
	}
}

// Strict closes the network of a model's shell, all of it, and leaves tests a loopback
// where there can be one. What a command keeps of root's rights is the same in each.
func TestStrictClosesTheNetworkOfAModelsShell(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash reaches a network by itself, and is not here")
	}
	var address atomic.Value
	s, _ := caged(t, func(string) func(modeltest.Request) modeltest.Reply {
		return func(h modeltest.Request) modeltest.Reply {
			if h.Answered("shell") {
				return modeltest.Say("That was all.")
			}
			return modeltest.Do(
				modeltest.Use("shell", modeltest.Object{"command": "exec 3<>/dev/tcp/" + address.Load().(string) + " && echo reached"}),
				modeltest.Use("shell", modeltest.Object{"command": "exec 3<>/dev/udp/192.0.2.1/9 && echo x >&3 && echo sent"}),
				modeltest.Use("shell", modeltest.Object{"command": "grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status"}),
			)
		}
	})
	beside, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer beside.Close()
	address.Store(strings.ReplaceAll(beside.Addr().String(), ":", "/"))
	told := func(sandbox string) []string {
		s.With("PAWL_SANDBOX=" + sandbox)
		_, errs, code := s.Prompted(t, "-p", sandbox, "--permission-mode", "bypass")
		require.Equal(t, 0, code, errs)
		return s.Server.Await(t, func(h modeltest.Request) bool {
			return modeltest.ParentTold("shell")(h) && strings.Contains(string(h.Raw), `"`+sandbox+`"`)
		}).ResultsOf("shell")
	}
	open := told("auto")
	require.Contains(t, open[0], "reached\n")
	require.Contains(t, open[1], "sent\n")
	closed := told("strict")
	require.NotContains(t, closed[0], "reached")
	require.NotContains(t, closed[1], "sent")
	require.Contains(t, closed[1], "the sandbox is strict: commands reach only servers that they start themselves")
	for _, said := range []string{open[2], closed[2]} {
		require.Contains(t, said, "NoNewPrivs:\t1")
		line := strings.TrimPrefix(strings.Split(said, "\n")[0], "CapEff:\t")
		rights, err := strconv.ParseUint(line, 16, 64)
		require.NoError(t, err)
		for _, right := range []int{13, 16, 21, 22, 25} { // NET_RAW, SYS_MODULE, SYS_ADMIN, SYS_BOOT, SYS_TIME
			require.Zero(t, rights&(1<<right), line)
		}
	}
	_, d := examined(t, s, 0)
	network := d.finding(t, "Sandbox", "commands").Value.(map[string]any)["network"]
	require.Contains(t, []any{"own", "none"}, network)
}

// frozenHere says whether files can be mounted read-only around a command.
func frozenHere(t *testing.T, s *harness.Stage) bool {
	t.Helper()
	_, d := examined(t, s, 0)
	return d.finding(t, "Sandbox", "commands").Value.(map[string]any)["read_only"] == true
}

// What git would obey of a command's is out of its reach, and the user's own git goes on.
func TestACommandLeavesTheUsersGitNoSettings(t *testing.T) {
	t.Parallel()
	s, _ := caged(t, func(string) func(modeltest.Request) modeltest.Reply {
		return func(h modeltest.Request) modeltest.Reply {
			if h.Answered("shell") {
				return modeltest.Say("Done.")
			}
			return modeltest.Do(
				modeltest.Use("shell", modeltest.Object{"command": "printf '[core]\\n\\tfsmonitor = touch bad; false\\n' > .git/config.worktree && echo written"}),
				modeltest.Use("shell", modeltest.Object{"command": "cp -r .git evil && git config -f evil/config core.fsmonitor 'touch bad; false' && echo ../evil > .git/commondir"}),
			)
		}
	})
	gittest.Run(t, s.Dir, "config", "extensions.worktreeConfig", "true")
	_, errs, code := s.Prompted(t, "-p", "prepare", "--permission-mode", "bypass")
	require.Zero(t, code, errs)
	told := s.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")
	require.Contains(t, told[1], "the sandbox removed ")
	if frozenHere(t, s) {
		require.NotContains(t, told[0], "written")
		gittest.Run(t, s.Dir, "status")
		require.NoFileExists(t, filepath.Join(s.Dir, "bad"))
	}
}
