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
	"pawl/tools/process"
	"pawl/tools/process/sandbox"
)

// caged is a stage whose folder is a checkout outside of the temporary folders, and a
// folder beside it.
func caged(t *testing.T, script func(outside string) func(heard) reply) (s *stage, outside string) {
	t.Helper()
	if !(sandbox.Policy{}).InForce() {
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
	s = set(t, anthropicProtocol(), script(outside))
	s.dir = filepath.Join(base, "in")
	require.NoError(t, os.Mkdir(s.dir, 0o755))
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", s.dir).Run())
	return s, outside
}

// A model's shell is kept inside, as a subagent in a process of its own too; what it
// is kept from the model is told.
func TestAModelsShellIsKeptInside(t *testing.T) {
	t.Parallel()
	const reading = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | grep -c sk-`
	s, outside := caged(t, func(outside string) func(heard) reply {
		escape := use("shell", object{"command": "echo bad > " + outside + "/new"})
		return func(h heard) reply {
			switch {
			case h.child("escape") && h.answered("shell"):
				return say("It is not allowed.")
			case h.child("escape"):
				return do(escape)
			case h.answered("task"):
				return say("Kept inside.")
			case h.answered("shell"):
				return do(task("escape", false))
			}
			return do(
				escape,
				use("shell", object{"command": "echo x > .git/hooks/pre-commit"}),
				use("shell", object{"command": reading}),
				use("shell", object{"command": "echo fine > made && git add made && git -c user.name=a -c user.email=a@b commit -qm made && echo committed"}),
			)
		}
	})
	r, errs, code := s.prompted(t, "-p", "get out", "--permission-mode", "bypass")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "Kept inside.", r.Output)
	told := s.server.await(t, parentTold("shell")).resultsOf("shell")
	require.Len(t, told, 4)
	const kept = "the sandbox lets commands write only below "
	require.Contains(t, told[0], kept+s.dir)
	require.Regexp(t, `(?s)^0\n.*exit code 1`, told[2], "no key is in sight")
	require.Contains(t, told[3], "committed")
	child := s.server.await(t, func(h heard) bool { return h.child("escape") && h.answered("shell") })
	require.Contains(t, child.resultsOf("shell")[0], kept+s.dir)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, entries)
	if frozenHere(t) {
		require.Contains(t, told[1], "the sandbox keeps commands from changing "+s.dir+"/.git/hooks/pre-commit")
		require.NoFileExists(t, s.dir+"/.git/hooks/pre-commit")
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
	s, _ := caged(t, func(string) func(heard) reply {
		return func(h heard) reply {
			if h.answered("shell") {
				return say("That was all.")
			}
			return do(
				use("shell", object{"command": "exec 3<>/dev/tcp/" + address.Load().(string) + " && echo reached"}),
				use("shell", object{"command": "exec 3<>/dev/udp/192.0.2.1/9 && echo x >&3 && echo sent"}),
				use("shell", object{"command": "grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status"}),
			)
		}
	})
	beside, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer beside.Close()
	address.Store(strings.ReplaceAll(beside.Addr().String(), ":", "/"))
	told := func(sandbox string) []string {
		s.with("PAWL_SANDBOX=" + sandbox)
		_, errs, code := s.prompted(t, "-p", sandbox, "--permission-mode", "bypass")
		require.Equal(t, 0, code, errs)
		return s.server.await(t, func(h heard) bool { return parentTold("shell")(h) && strings.Contains(string(h.raw), `"`+sandbox+`"`) }).resultsOf("shell")
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
	_, d := s.examined(t, 0)
	network := d.finding(t, "Sandbox", "commands").Value.(map[string]any)["network"]
	require.Contains(t, []any{"own", "none"}, network)
}

// frozenHere says whether files can be mounted read-only around a command.
func frozenHere(t *testing.T) bool {
	t.Helper()
	return process.CheckSandbox(t.Context(), process.ContainAuto, sandbox.Policy{}).Frozen
}

// What git would obey of a command's is out of its reach, and the user's own git goes on.
func TestACommandLeavesTheUsersGitNoSettings(t *testing.T) {
	t.Parallel()
	s, _ := caged(t, func(string) func(heard) reply {
		return func(h heard) reply {
			if h.answered("shell") {
				return say("Done.")
			}
			return do(
				use("shell", object{"command": "printf '[core]\\n\\tfsmonitor = touch bad; false\\n' > .git/config.worktree && echo written"}),
				use("shell", object{"command": "cp -r .git evil && git config -f evil/config core.fsmonitor 'touch bad; false' && echo ../evil > .git/commondir"}),
			)
		}
	})
	gittest.Run(t, s.dir, "config", "extensions.worktreeConfig", "true")
	_, errs, code := s.prompted(t, "-p", "prepare", "--permission-mode", "bypass")
	require.Zero(t, code, errs)
	told := s.server.await(t, parentTold("shell")).resultsOf("shell")
	require.Contains(t, told[1], "the sandbox removed ")
	if frozenHere(t) {
		require.NotContains(t, told[0], "written")
		gittest.Run(t, s.dir, "status")
		require.NoFileExists(t, filepath.Join(s.dir, "bad"))
	}
}
