package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// Versions of Landlock from which on it holds cutting back, and signals and abstract
// sockets.
const cutsFrom, scopesFrom = 3, 6

// needsLandlock skips where the kernel has none, with what it says.
func needsLandlock(t *testing.T) int {
	t.Helper()
	version, err := launch.LandlockVersion()
	if err != nil {
		t.Skipf("this kernel has no Landlock: %v", err)
	}
	return version
}

// cage is a folder to be confined to, in a place where nothing else may be written:
// not below the temporary folder, which every sandbox leaves open.
type cage struct {
	folder  string
	outside string // a folder beside it
	sandbox sandbox.Policy
}

func newCage(t *testing.T) cage {
	t.Helper()
	base, err := os.MkdirTemp(cageBase(t), "pawl-cage")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	c := cage{folder: filepath.Join(base, "in"), outside: filepath.Join(base, "out")}
	for _, folder := range []string{c.folder, c.outside} {
		require.NoError(t, os.Mkdir(folder, 0o755))
	}
	write(t, c.outside, "kept", "as it was\n")
	return c
}

// most is how many characters of an output the tests look at.
const most = 30_000

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

// cageBase is a folder outside of all temporary ones.
func cageBase(t *testing.T) string {
	t.Helper()
	for _, folder := range []string{os.Getenv(cageVariable), os.Getenv("HOME"), "/opt"} {
		probe, err := os.MkdirTemp(folder, "pawl-probe")
		if err == nil && folder != "" && !strings.HasPrefix(probe, "/tmp/") && !strings.HasPrefix(probe, "/var/tmp/") {
			require.NoError(t, os.Remove(probe))
			return folder
		}
		_ = os.Remove(probe)
	}
	t.Skip("no folder outside of /tmp can be written here")
	return ""
}

// cageVariable names a folder for cages, for tests that run as somebody else.
const cageVariable = "PAWL_TEST_CAGES"

// run runs a line in the cage.
func (c cage) run(t *testing.T, mode launch.Mode, line string, environ ...string) Finished {
	t.Helper()
	if err := possible(t.Context(), mode); err != nil {
		t.Skip(err)
	}
	command := shellCommand(line)
	command.Folder, command.Limit = c.folder, 10*time.Minute // of a first build, on a busy machine
	policy := c.sandbox
	all := func() []string { return append(os.Environ(), environ...) }
	done, err := (&Launcher{Containment: Containment(mode), Sandbox: &policy, Environ: all}).Run(t.Context(), command)
	require.NoError(t, err)
	return done
}

func (c cage) says(t *testing.T, mode launch.Mode, line string, environ ...string) string {
	t.Helper()
	done := c.run(t, mode, line, environ...)
	text, _ := done.Output.Text(most)
	require.Zero(t, done.ExitCode, text)
	return text
}

// eachMode runs a test in every containment, side by side.
func eachMode(t *testing.T, try func(t *testing.T, mode launch.Mode)) {
	t.Helper()
	for _, mode := range modesHere() {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			try(t, mode)
		})
	}
}

// escapes are ways to change a file outside, OUT, from the folder. Each has to fail;
// what it leaves outside is looked at from outside.
var escapes = map[string]string{
	"directly":                 `echo bad > OUT/new`,
	"by appending":             `echo bad >> OUT/kept`,
	"through a link":           `ln -s OUT link && echo bad > link/new`,
	"through a link to a file": `ln -s OUT/kept link && echo bad > link`,
	"by moving in":             `echo bad > x && mv x OUT/new`,
	"by moving over":           `echo bad > x && mv -f x OUT/kept`,
	"by moving out":            `mv OUT/kept kept`,
	"by a hard link":           `ln OUT/kept kept && echo bad > kept`,
	"by cutting":               `truncate -s 0 OUT/kept`,
	"by cutting at opening":    `: > OUT/kept`,
	"by a folder":              `mkdir OUT/new`,
	"by a link there":          `ln -s x OUT/new`,
	"by a FIFO there":          `mkfifo OUT/new`,
	"by removing":              `rm -f OUT/kept; [ ! -e OUT/kept ]`,
	"over the root of proc":    `echo bad > /proc/self/root/OUT/new`,
	"over the folder of proc":  `echo bad > /proc/self/cwd/../out/new`,
	"in a daemon":              `setsid sh -c 'echo bad > OUT/new' & wait $!`,
	"in a new namespace":       `unshare -r sh -c 'echo bad > OUT/new'`,
	"over a mount":             `mkdir m && unshare -r -m sh -c 'mount --bind OUT m && echo bad > m/new'`,
	"over a mount of root's":   `mkdir m && mount --bind OUT m && echo bad > m/new`,
	"in a process of pid 1":    `nsenter -t 1 -m sh -c 'echo bad > OUT/new'`,
}

func TestTheSandboxKeepsEveryWriteInside(t *testing.T) {
	version := needsLandlock(t)
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		for name, line := range escapes {
			if version < cutsFrom && strings.Contains(name, "cutting") {
				t.Logf("%s: not tried, Landlock %d does not cover it", name, version)
				continue
			}
			c := newCage(t)
			done := c.run(t, mode, strings.ReplaceAll(line, "OUT", c.outside))
			text, _ := done.Output.Text(most)
			require.NotZero(t, done.ExitCode, "%s: %s", name, text)
			kept, err := os.ReadFile(filepath.Join(c.outside, "kept"))
			require.NoError(t, err, name)
			require.Equal(t, "as it was\n", string(kept), name)
			entries, err := os.ReadDir(c.outside)
			require.NoError(t, err)
			require.Len(t, entries, 1, name)
		}
	})
}

func TestTheSandboxLetsWorkGoOn(t *testing.T) {
	needsLandlock(t)
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		c := newCage(t)
		more := filepath.Join(filepath.Dir(c.outside), "more")
		require.NoError(t, os.Mkdir(more, 0o755))
		c.sandbox.Write = []string{more}
		c.says(t, mode, `set -e
mkdir -p a/b && echo x > a/b/c && mv a/b/c a/c && ln a/c a/d && ln -s a/c e && truncate -s 0 e && rm -r a
cat `+c.outside+`/kept > kept
t=$(mktemp) && echo x > $t && rm $t
echo x > /dev/null && echo x > /dev/stderr && echo x | tee /dev/full > /dev/null || true
echo x > `+more+`/new && rm `+more+`/new
kill -0 $$ && sleep 86400 & kill $!`)
	})
}

// The list of folders says where more may be written. Whatever is wrong with it, it
// never says that there is no sandbox.
func TestNoListMeansNoSandbox(t *testing.T) {
	needsLandlock(t)
	for name, list := range map[string][]string{
		"nil": nil, "empty": {}, "an empty path": {""}, "not whole": {"out", "."}, "not there": {"/no/such/folder"}, "a NUL": {"/\x00"},
	} {
		c := newCage(t)
		c.sandbox.Write = list
		require.NotZero(t, c.run(t, launch.Group, "echo bad > ../out/new").ExitCode, name)
		require.NoFileExists(t, filepath.Join(c.outside, "new"), name)
	}
	c := newCage(t)
	c.sandbox.Mode = "on"
	_, err := (&Launcher{Sandbox: &c.sandbox}).Run(t.Context(), shellCommand("true"))
	require.EqualError(t, err, `sandbox "on": must be auto, strict or off`)
	c.sandbox.Mode = sandbox.Off
	c.says(t, launch.Group, "echo meant > ../out/new")
}

// A helper that was not told the whole confinement starts nothing.
func TestAHalfToldConfinementStartsNothing(t *testing.T) {
	whole := (&launch.Confinement{Landlock: true, Write: []string{"/dev"}}).Encode()
	for name, said := range map[string][]byte{
		"nothing": nil, "half a length": whole[:2], "no entries": whole[:4], "cut": whole[:len(whole)-1],
		"no path":       {3, 0, 0, 0, 'w', 'x', 0},
		"a letter more": {3, 0, 0, 0, 'q', '/', 0},
		"a bare letter": {2, 0, 0, 0, 'w', 0},
	} {
		folder := t.TempDir()
		var p pipes
		theirs, err := p.open()
		require.NoError(t, err)
		path, err := helperPath()
		require.NoError(t, err)
		cmd := exec.CommandContext(t.Context(), path)
		cmd.Args = launch.Arguments(launch.Group, &launch.Confinement{}, "/bin/sh", "sh", "-c", "touch ran")
		cmd.Dir, cmd.ExtraFiles = folder, theirs[1:]
		require.NoError(t, cmd.Start())
		closeFiles(theirs[:])
		_, err = p.control.Write(said)
		require.NoError(t, err)
		require.NoError(t, p.control.Close())
		require.NoError(t, cmd.Wait())
		require.Equal(t, launch.StepTold, p.readReport().Step, name)
		p.close()
		require.NoFileExists(t, filepath.Join(folder, "ran"), name)
	}
}

// Signals and abstract sockets reach nobody outside; what is of the command itself
// they do.
func TestSignalsStayInside(t *testing.T) {
	if version := needsLandlock(t); version < scopesFrom {
		t.Skipf("this kernel's Landlock (version %d) does not hold signals back", version)
	}
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		sleeper := exec.CommandContext(ctx, "sleep", "86400")
		require.NoError(t, sleeper.Start())
		c := newCage(t)
		said := c.says(t, mode, fmt.Sprintf("kill -TERM %d %d; sleep 86400 & kill $! && echo its own", sleeper.Process.Pid, os.Getpid()))
		require.Contains(t, said, "its own")
		cancel()
		require.EqualError(t, sleeper.Wait(), "signal: killed", "by the test, and not by the command's TERM")
	})
}

func TestWhatTheSandboxStoppedStandsBesideTheExitCode(t *testing.T) {
	needsLandlock(t)
	c := newCage(t)
	done := c.run(t, launch.Group, "echo bad > ../out/new")
	require.Equal(t, 1, done.ExitCode)
	require.Contains(t, done.Sandboxed, "the sandbox lets commands write only below "+c.folder)
	require.Contains(t, done.Sandboxed, `sandbox.write = ["`+c.outside+`"]`)
	require.Empty(t, c.run(t, launch.Group, "echo bad > ../out/new; true").Sandboxed, "it did not fail")
}
