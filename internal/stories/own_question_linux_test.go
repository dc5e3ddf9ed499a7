package stories

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// nobody is a user without rights, whom root plays.
const nobody = 65534

// intrusion is a session with an open question, and a command of it that is allowed.
type intrusion struct {
	*harness.Stage
	x       *harness.Terminal
	base    string
	root    bool
	command atomic.Value // what the model runs, once somebody says "go"
}

// intruded opens a session as somebody without rights, or as root, in which a question is open.
func intruded(t *testing.T, containment, sandbox string, root, isolated bool) *intrusion {
	t.Helper()
	n := &intrusion{root: root}
	tries := func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("That was the try.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": n.command.Load(), "timeout_ms": 60_000}))
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make the file"):
			return wantsShell(h)
		case h.Child("try it"):
			return tries(h)
		case h.Asked("go") && isolated:
			return modeltest.Do(task("try it", false))
		case h.Asked("go"), h.Answered("shell"):
			return tries(h)
		case h.Answered("task"), h.Answered("agent"):
			return modeltest.Say("They are on their way.")
		}
		return modeltest.Do(modeltest.Launch("file making", "make the file"))
	})
	n.Stage = s
	n.moveTo(t)
	s.With("PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask", "PAWL_SUBAGENTS_MAX_AUTO_RESUMES=0", "PAWL_TOOLS_CONTAINMENT="+containment, "PAWL_SANDBOX="+sandbox)
	s.Configured(t, fmt.Sprintf("[permissions]\nallow = [\"shell(%s *)\"]\n", n.program()))
	if !root {
		n.give(t)
	}
	n.x = n.open(t)
	n.x.Prompt("send one")
	n.x.See("They are on their way.")
	n.x.Asked()
	return n
}

// moveTo puts the stage where the sandbox does not let commands write, and where anybody may read.
func (n *intrusion) moveTo(t *testing.T) {
	t.Helper()
	around, err := os.UserHomeDir()
	if os.Getuid() == 0 {
		around, err = "/srv", nil
	}
	require.NoError(t, err)
	n.base, err = os.MkdirTemp(around, "pawl-own")
	if err != nil {
		t.Skipf("%s cannot be written: %v", around, err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(n.base) })
	require.NoError(t, os.Chmod(n.base, 0o755))
	n.Home = filepath.Join(n.base, "pawl")
	dir := filepath.Join(n.base, "in")
	require.NoError(t, os.CopyFS(dir, os.DirFS(n.Dir)))
	n.Dir = dir
	tmp := filepath.Join(n.base, "tmp")
	require.NoError(t, os.Mkdir(tmp, 0o755))
	n.With("PAWL_HOME="+n.Home, "HOME="+n.base, "TMPDIR="+tmp)
	path, err := harness.Binary()
	require.NoError(t, err)
	copied(t, path, filepath.Join(n.base, "pawl-binary"))
	copied(t, os.Args[0], n.program())
}

func (n *intrusion) program() string { return filepath.Join(n.base, "intruder") }

func copied(t *testing.T, from, to string) {
	t.Helper()
	syscall.ForkLock.RLock() // or what another test is just starting has it open, too, and it cannot be started
	defer syscall.ForkLock.RUnlock()
	in, err := os.Open(from)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	require.NoError(t, err)
	defer out.Close()
	_, err = io.Copy(out, in)
	require.NoError(t, err)
}

// give gives all of the stage to nobody, if root plays it.
func (n *intrusion) give(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	require.NoError(t, filepath.WalkDir(n.base, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	}))
}

// open starts the screen.
func (n *intrusion) open(t *testing.T) *harness.Terminal {
	t.Helper()
	x := n.start(t, n.Flags()...)
	x.Ready()
	return x
}

func (n *intrusion) attach(t *testing.T, session string) *harness.Terminal {
	t.Helper()
	return n.start(t, "attach", session)
}

func (n *intrusion) start(t *testing.T, args ...string) *harness.Terminal {
	t.Helper()
	cmd := exec.Command(filepath.Join(n.base, "pawl-binary"), args...) //nolint:noctx // the terminal ends it
	cmd.Dir, cmd.Env = n.Dir, n.Env
	return harness.StartCommandAs(t, 120, 40, cmd, n.user())
}

// user is who plays the stage; nil: who runs the test.
func (n *intrusion) user() *syscall.Credential {
	if n.root || os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: nobody, Gid: nobody}
}

func (n *intrusion) run() string { return filepath.Join(n.Home, "state", "run") }

// says connects as a program that no session has started, and writes a line.
func (n *intrusion) says(t *testing.T, line string) (reply map[string]any) {
	t.Helper()
	cmd := exec.Command(n.program(), intruding, n.run(), line, "", "say") //nolint:noctx // it ends by itself
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: n.user()}
	out, err := cmd.Output()
	require.NoError(t, err, string(out))
	require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(string(out), "say: ")), &reply), string(out))
	return reply
}

// tries has the model run the intruder, and gives what it has written.
func (n *intrusion) tries(t *testing.T, ways ...string) string {
	t.Helper()
	n.command.Store(fmt.Sprintf("%s %s %s %d %s %s", n.program(), intruding, n.run(), n.x.Pawl(), n.x.Device(), strings.Join(ways, " ")))
	require.Equal(t, true, n.says(t, `{"type":"message","text":"go"}`)["ok"])
	h := n.Server.Await(t, func(h modeltest.Request) bool {
		return (h.Child("try it") || h.Parent()) && h.Answered("shell")
	})
	return h.ResultsOf("shell")[0]
}

// The question of another subagent stays open whatever a command of the session does, and a person
// answers it then. A command that root runs without a sandbox has what no process can keep from it.
func TestNoCommandAnswersItsSessionsQuestions(t *testing.T) {
	t.Parallel()
	type row struct {
		containment, sandbox string
		root, isolated       bool
	}
	var rows []row
	for _, containment := range []string{"namespace", "subreaper", "group"} {
		rows = append(rows, row{containment, "auto", false, false}, row{containment, "off", false, true})
		if os.Getuid() == 0 {
			rows = append(rows, row{containment, "auto", true, false}, row{containment, "off", true, false})
		}
	}
	for _, r := range rows {
		t.Run(fmt.Sprintf("%s %s root=%v isolated=%v", r.containment, r.sandbox, r.root, r.isolated), func(t *testing.T) {
			t.Parallel()
			n := intruded(t, r.containment, r.sandbox, r.root, r.isolated)
			ways := []string{"path", "root", "daemon", "gone", "fds", "rights"}
			rights := r.root && r.sandbox == "off" // to what any process has: SECURITY.md says so
			if !rights {
				ways = append(ways, "proc", "pidfd", "terminal")
			}
			told := n.tries(t, ways...)
			require.NotContains(t, told, "REACHED")
			for _, way := range []string{"path: 1 connections", "daemonized: 1 connections", "holder:", "rights:"} {
				require.Contains(t, told, way+refusedFor(way))
			}
			fds := regexp.MustCompile(`(?m)^fds: .*$`).FindString(told)
			require.NotRegexp(t, `socket:|/dev/pts|ptmx|\.lock|\.db|pawl/`, fds)
			if !rights {
				require.Contains(t, told, "pidfd: taken 0")
				require.Regexp(t, "(?m)^proc: opened *$", told)
				require.NotContains(t, told, "TYPED")
			}
			if r.sandbox != "off" && r.containment == "namespace" {
				require.Contains(t, told, "terminal: closed: ")
			}
			n.x.See("wants to use shell", "echo ran > made.txt")
			require.NoFileExists(t, filepath.Join(n.Dir, "made.txt"))
			require.NotContains(t, descriptorsOf(t, n.x.Pawl()), n.program(), "the host keeps what those that it refused have sent")
			n.ends(t)
		})
	}
}

func refusedFor(way string) string {
	const refused = "refused: a command of a session cannot reach this one"
	if strings.HasSuffix(way, ":") {
		return " " + refused
	}
	return ", " + refused
}

// ends answers the question as a person does, and leaves.
func (n *intrusion) ends(t *testing.T) {
	t.Helper()
	n.x.Answer("y")
	n.x.SeeNot("wants to use shell")
	n.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make the file") && h.Answered("shell") })
	require.FileExists(t, filepath.Join(n.Dir, "made.txt"))
	n.x.See("reported with your next message")
	require.Equal(t, 0, n.x.Quit())
}

// A command of one session could speak for that of another: no host lets one in.
func TestNoCommandAnswersAnotherSessionsQuestions(t *testing.T) {
	t.Parallel()
	n := intruded(t, "group", "off", false, false)
	first := n.x
	var second atomic.Value
	second.Store("")
	other := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") {
			return modeltest.Say("That was the try.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": second.Load()}))
	})
	other.Dir, other.Env = n.Dir, append(slices.Clone(n.Env), other.Server.Environ()...)
	n.says(t, `{"type":"status"}`)
	cmd := exec.Command(filepath.Join(n.base, "pawl-binary"), n.Flags("--permission-mode", "bypass")...) //nolint:noctx // the terminal ends it
	cmd.Dir, cmd.Env = n.Dir, other.Env
	y := harness.StartCommandAs(t, 120, 40, cmd, n.user())
	y.Ready()
	second.Store(fmt.Sprintf("%s %s %s %d %s path daemon", n.program(), intruding, n.run(), first.Pawl(), first.Device()))
	y.Prompt("try it")
	y.See("That was the try.")
	told := other.Server.Await(t, modeltest.ParentTold("shell")).ResultsOf("shell")[0]
	require.NotContains(t, told, "REACHED")
	require.Equal(t, 2*2, strings.Count(told, "refused: a command of a session cannot reach this one"), told)
	require.Equal(t, 0, y.Quit())
	n.ends(t)
}

// A command without a sandbox can put a listener of its own in the place of the host's. No front takes
// it for one, and the screen that is there goes on.
func TestAListenerInTheHostsPlaceIsNotTakenForIt(t *testing.T) {
	t.Parallel()
	for containment, sandbox := range map[string]string{"namespace": "auto", "subreaper": "off", "group": "off"} {
		t.Run(containment+" "+sandbox, func(t *testing.T) {
			t.Parallel()
			n := intruded(t, containment, sandbox, false, false)
			sessions, err := os.ReadDir(n.run())
			require.NoError(t, err)
			var session string
			for _, entry := range sessions {
				if name, is := strings.CutSuffix(entry.Name(), ".sock"); is {
					session = name
				}
			}
			if sandbox == "auto" {
				require.Contains(t, n.tries(t, "replace"), "replace: kept: ")
				n.ends(t)
				return
			}
			n.command.Store(fmt.Sprintf("%s %s %s 0 - replace", n.program(), intruding, n.run()))
			replaced := filepath.Join(n.run(), session+".sock")
			before, err := os.Lstat(replaced)
			require.NoError(t, err)
			require.Equal(t, true, n.says(t, `{"type":"message","text":"go"}`)["ok"])
			require.Eventually(t, func() bool {
				now, err := os.Lstat(replaced)
				return err == nil && !os.SameFile(before, now)
			}, modeltest.Patience, 10*time.Millisecond)
			y := n.attach(t, session)
			y.AwaitEnd()
			y.Drain()
			require.Contains(t, y.Raw(), "cannot be trusted: it is a command that a session has run: end that and remove its socket")
			require.NotContains(t, y.Raw(), "THE INTRUDER SPEAKS")
			n.x.See("wants to use shell", "echo ran > made.txt")
			n.x.Answer("y")
			n.x.SeeNot("wants to use shell")
			n.x.See("esc stops")
			n.x.Type(harness.KeyEsc)
			n.x.See("reported with your next message")
			require.Equal(t, 0, n.x.Quit())
		})
	}
}

// descriptorsOf are what a process has open.
func descriptorsOf(t *testing.T, pid int) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	require.NoError(t, err)
	for _, entry := range entries {
		where, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, entry.Name()))
		if err == nil {
			all = append(all, where)
		}
	}
	return all
}
