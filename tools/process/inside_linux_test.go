package process

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
)

// inside runs a line in one mode and gives what it said.
func inside(t *testing.T, mode launch.Mode, folder, line string) Finished {
	t.Helper()
	if err := possible(t.Context(), mode); err != nil {
		t.Skip(err)
	}
	c := shellCommand(line)
	c.Folder = folder
	done, err := (&Launcher{Containment: Containment(mode)}).Run(t.Context(), c)
	require.NoError(t, err)
	return done
}

func TestInsideANamespaceTheNumbersAgree(t *testing.T) {
	done := inside(t, launch.Namespace, t.TempDir(), `echo $$ $(sh -c 'echo $PPID') $(cut -d' ' -f1 /proc/$$/stat); readlink /proc/self >/dev/null && ls -d /proc/$$; ps -e -o pid=,comm=; cat /proc/1/comm`)
	lines := strings.Split(strings.TrimSpace(done.Output.Head), "\n")
	numbers := strings.Fields(lines[0])
	require.Equal(t, numbers[0], numbers[2])
	require.Equal(t, "/proc/"+numbers[0], lines[1])
	require.Contains(t, done.Output.Head, "1 pawl-launch\n", "ps shows what is inside")
	require.LessOrEqual(t, len(lines), 7, "and nothing else: %s", done.Output.Head)
}

// What Pawl lends its helper for the mounts is not the command's.
func TestInsideANamespaceThereAreNoNewRights(t *testing.T) {
	grep := "^Cap[IPEA]" // a user namespace always begins with all of them in its bounding set
	mine, err := exec.CommandContext(t.Context(), "grep", grep, "/proc/self/status").Output()
	require.NoError(t, err)
	require.Equal(t, string(mine), inside(t, launch.Namespace, t.TempDir(), "grep "+grep+" /proc/self/status").Output.Head)
}

func TestInsideANamespaceTheUsualToolsWork(t *testing.T) {
	folder := t.TempDir()
	done := inside(t, launch.Namespace, folder, `go version && git init -q . && touch x && git add x && git status --porcelain && touch y && ls -ln x | cut -d' ' -f3 && id -u`)
	require.Zero(t, done.ExitCode, done.Output.Head)
	require.Contains(t, done.Output.Head, "A  x\n")
	lines := strings.Fields(done.Output.Head)
	require.Equal(t, lines[len(lines)-1], lines[len(lines)-2], "its own files are its own")
}

// Mounts that a command makes are gone with it, and never Pawl's.
func TestInsideANamespaceMountsStayThere(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting is root's")
	}
	folder := t.TempDir()
	done := inside(t, launch.Namespace, folder, "mount -t tmpfs none . && cd . && touch mounted && cat /proc/self/mountinfo")
	require.Zero(t, done.ExitCode, done.Output.Head)
	require.Contains(t, done.Output.Head, folder)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	require.NotContains(t, string(mounts), folder)
}

func TestExitCodesAreAShells(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "plain"), []byte("x"), 0o600))
	for _, mode := range modesHere() {
		for line, want := range map[string]int{
			"true": 0, "exit 3": 3, "no-such-program": 127, "./plain": 126, "kill -TERM $$": 143, "kill -9 $$": 137, "kill -USR1 $$": 138, "exit 255": 255,
		} {
			done := inside(t, mode, folder, line)
			require.Equal(t, want, done.ExitCode, "%s: %s", mode, line)
			require.Equal(t, NotStopped, done.Stopped)
			require.Zero(t, done.Left)
		}
	}
}

func TestTheCommandGetsNothingOfTheHelpers(t *testing.T) {
	for _, mode := range modesHere() {
		done := inside(t, mode, t.TempDir(), "ls /proc/self/fd; cat; echo end of input; grep -E '^Sig(Blk|Ign)' /proc/self/status; ulimit -Sn")
		mine, err := exec.CommandContext(t.Context(), "sh", "-c", "ls /proc/self/fd; echo end of input; grep -E '^Sig(Blk|Ign)' /proc/self/status; ulimit -Sn").Output()
		require.NoError(t, err)
		require.Equal(t, string(mine), done.Output.Head, string(mode))
	}
}

// Under nohup a hangup ends neither Pawl nor what it runs.
func TestAHangupIgnoredAtTheStartStaysIgnoredInTheCommand(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	t.Cleanup(func() { // Reset alone does not undo Ignore
		heard := make(chan os.Signal, 1)
		signal.Notify(heard, syscall.SIGHUP)
		signal.Stop(heard)
	})
	for _, mode := range modesHere() {
		done := inside(t, mode, t.TempDir(), "kill -HUP $$; echo still here")
		require.Equal(t, "still here\n", done.Output.Head, string(mode))
	}
}

func TestWhatTheSystemRefusesKeepsItsReason(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "script", "#!/no/such/interpreter\n")
	require.NoError(t, os.Chmod(filepath.Join(folder, "script"), 0o755))
	for _, mode := range modesHere() {
		l := &Launcher{Containment: Containment(mode)}
		_, err := l.Run(t.Context(), Command{Name: "./script", Folder: folder})
		require.ErrorIs(t, err, syscall.ENOENT)
		require.EqualError(t, err, "start ./script: fork/exec ./script: no such file or directory")
		_, err = l.Run(t.Context(), Command{Name: "/bin/true", Args: []string{strings.Repeat("x", 1<<20)}, Folder: folder})
		require.ErrorIs(t, err, syscall.E2BIG)
		require.EqualError(t, err, "start /bin/true: fork/exec /bin/true: argument list too long")
		_, err = l.Run(t.Context(), Command{Name: "/bin/true", Folder: "/no/such/folder"})
		require.EqualError(t, err, "start /bin/true: stat /no/such/folder: no such file or directory")
		_, err = l.Run(t.Context(), Command{Name: "/etc/passwd", Folder: "/"})
		require.ErrorIs(t, err, os.ErrPermission)
	}
}

func TestTheStrongestPossibleContainmentIsTaken(t *testing.T) {
	auto := CheckContainment(t.Context(), ContainAuto)
	require.NoError(t, auto.Err)
	require.NotEmpty(t, auto.Gaps)
	unshare := []string{"-p", "-f", "--mount-proc", "true"}
	if os.Getuid() != 0 {
		unshare = append([]string{"-U", "-r"}, unshare...)
	}
	if exec.CommandContext(t.Context(), "unshare", unshare...).Run() == nil {
		require.Equal(t, ContainNamespace, auto.Mode)
		require.Empty(t, auto.Why)
	}
	forced := CheckContainment(t.Context(), ContainGroup)
	require.Equal(t, ContainGroup, forced.Mode)
	require.Len(t, forced.Why, 2)
	require.Contains(t, forced.Why[1], `subreaper: the setting tools.containment is "group"`)
	require.ErrorContains(t, CheckContainment(t.Context(), "jail").Err, `tools.containment = "jail" is not possible on linux`)
}

// Where there are no namespaces the next one is taken, and it is said why; who
// wants one nevertheless gets an error with the call.
func TestWithoutNamespacesTheSubreaperIsTaken(t *testing.T) {
	if os.Getuid() != 0 || exec.CommandContext(t.Context(), "unshare", "-U", "-r", "true").Run() != nil {
		t.Skip("needs a user namespace whose limits can be set")
	}
	path, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "unshare", "-U", "-r", "sh", "-c", `echo 0 > /proc/sys/user/max_pid_namespaces && exec "$0"`, path)
	cmd.Env = append(os.Environ(), roleReport+"=1")
	output, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, "subreaper\nnamespace: no namespace could be made: no space left on device; the system's limit of namespaces is used up or 0\n"+
		"forced: tools.containment = \"namespace\" is not possible here: no namespace could be made: no space left on device; the system's limit of namespaces is used up or 0\n", string(output))
}

func TestACutReportIsNone(t *testing.T) {
	require.Equal(t, launch.Report{Command: 7}, launch.ParseReport("command 7\ndone 0 0"))
	require.Equal(t, launch.Report{}, launch.ParseReport("\n"))
	require.Equal(t, launch.Report{Step: "proc", Errno: syscall.EPERM}, launch.ParseReport("failed proc 1\n"))
	require.Equal(t, launch.Report{Done: true, Code: 3, Left: 2, Alive: 1, Stopped: true}, launch.ParseReport("done 3 2 1 1\n"))
}

// A stop that comes when the program has ended does not make it a stopped one.
func TestACanceledContextBeforeTheStartStartsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := t.TempDir()
	done, err := sh(t, ctx, &Launcher{}, "touch started", func(c *Command) { c.Folder = folder })
	require.NoError(t, err)
	require.Equal(t, StopCanceled, done.Stopped)
	require.NoFileExists(t, filepath.Join(folder, "started"))
}

// A pkill -f by a command's own words means its helper too: that is a signal to
// the command, not an accident.
func TestASignalToTheHelperIsForTheCommand(t *testing.T) {
	for _, mode := range modesHere() {
		done := inside(t, mode, t.TempDir(), "echo up; kill -TERM $PPID; sleep 86400")
		require.Equal(t, "up\n", done.Output.Head)
		require.Equal(t, 143, done.ExitCode, string(mode))
		require.Equal(t, NotStopped, done.Stopped)
	}
}
