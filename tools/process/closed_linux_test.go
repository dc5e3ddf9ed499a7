package process

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// needsWhole skips where the sandbox is not whole, with what it lacks.
func needsWhole(t *testing.T) {
	t.Helper()
	if err := CheckClosed(t.Context(), ContainAuto, sandbox.Policy{}, t.TempDir()); err != nil {
		t.Skip(err)
	}
}

// closed runs a line in the cage as one that nobody was asked about.
func (c cage) closed(t *testing.T, line string, hidden ...string) Finished {
	t.Helper()
	command := shellCommand(line)
	command.Folder, command.Limit, command.Closed = c.folder, 2*time.Minute, true
	policy := c.sandbox
	home := func() []string {
		return append(os.Environ(), "HOME="+c.outside, "XDG_CACHE_HOME=", "GOCACHE="+c.outside)
	}
	l := Launcher{Sandbox: &policy, Environ: home, Hidden: func(string) ([]string, error) { return hidden, nil }}
	done, err := l.Run(t.Context(), command)
	require.NoError(t, err)
	return done
}

func TestAClosedCommandChangesNothingOutside(t *testing.T) {
	needsWhole(t)
	for name, line := range escapes {
		c := newCage(t)
		done := c.closed(t, strings.ReplaceAll(line, "OUT", c.outside))
		require.NotZero(t, done.ExitCode, "%s: %s", name, done.Output.Tail)
		require.Equal(t, "as it was\n", readFile(t, c.outside, "kept"), name)
		require.NoFileExists(t, filepath.Join(c.outside, "new"), name)
	}
}

func readFile(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return string(text)
}

func TestAClosedCommandReachesNobody(t *testing.T) {
	needsWhole(t)
	c := newCage(t)
	here, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer here.Close()
	path := filepath.Join(c.folder, "s")
	beside, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer beside.Close()
	_, port, err := net.SplitHostPort(here.Addr().String())
	require.NoError(t, err)
	for name, row := range map[string]struct{ line, refused string }{
		"TCP":           {"exec 3<>/dev/tcp/192.0.2.1/80", "the network"},
		"UDP":           {"echo x > /dev/udp/192.0.2.1/53", "the network"},
		"this machine":  {"exec 3<>/dev/tcp/127.0.0.1/" + port, "the network"},
		"a path":        {`python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("` + path + `")' 2>&1 | tail -1; exit 1`, ""},
		"a name":        {"exec 3<>/dev/tcp/no.such.host.example/80", "the network"},
		"in a new user": {"unshare -r -n true && exec 3<>/dev/tcp/127.0.0.1/" + port, "the network"},
	} {
		done := c.closed(t, row.line)
		require.NotZero(t, done.ExitCode, name)
		if row.refused != "" && name != "in a new user" {
			require.Equal(t, row.refused, done.Refused, "%s: %s", name, done.Output.Head)
		}
	}
	for _, l := range []net.Listener{here, beside} {
		require.NoError(t, l.(interface{ SetDeadline(time.Time) error }).SetDeadline(time.Now()))
		_, err = l.Accept()
		require.ErrorIs(t, err, os.ErrDeadlineExceeded, "somebody came")
	}
	require.Zero(t, c.closed(t, `test -z "$SSH_AUTH_SOCK" || true`).ExitCode)
}

func TestAClosedCommandSeesNoKeys(t *testing.T) {
	needsWhole(t)
	c := newCage(t)
	write(t, c.outside, ".ssh/id", "secret")
	write(t, c.outside, ".netrc", "secret")
	write(t, c.outside, ".aws-real/credentials", "secret")
	require.NoError(t, os.Symlink(".aws-real", filepath.Join(c.outside, ".aws")))
	write(t, c.folder, ".env", "secret")
	write(t, c.folder, "open", "read")
	done := c.closed(t, `cat ../out/.ssh/id ../out/.netrc ../out/.aws/credentials ../out/.aws-real/credentials .env; cp .env copy; mv .env moved; cat copy moved; cat open; ls -A ../out/.ssh; echo x > .env`,
		filepath.Join(c.folder, ".env"))
	require.NotContains(t, done.Output.Head, "secret")
	require.Contains(t, done.Output.Head, "read")
	require.Equal(t, "secret", readFile(t, c.folder, ".env"), "it cannot be overwritten unseen either")
}

// git may be led to start a program by files that nobody looks at: there it leaves nothing.
func TestACommandThatOnlyReadsChangesNothing(t *testing.T) {
	needsWhole(t)
	c := newCage(t)
	write(t, c.folder, "kept", "as it was")
	write(t, c.folder, ".env", "named")
	write(t, c.outside, ".ssh/id", "secret")
	command := shellCommand(`touch new; rm kept; echo x >> kept; mkdir d; echo x > "${TMPDIR:-/tmp}/pawl-reads-$$" && echo wrote; cat .env ../out/.ssh/id; echo done >/dev/null`)
	command.Folder, command.Closed, command.Reads = c.folder, true, true
	l := Launcher{Sandbox: &sandbox.Policy{}, Hidden: func(string) ([]string, error) { return []string{filepath.Join(c.folder, ".env")}, nil }}
	l.Environ = func() []string { return append(os.Environ(), "HOME="+c.outside) }
	done, err := l.Run(t.Context(), command)
	require.NoError(t, err)
	require.Equal(t, "as it was", readFile(t, c.folder, "kept"))
	require.NoFileExists(t, filepath.Join(c.folder, "new"))
	require.NoDirExists(t, filepath.Join(c.folder, "d"))
	require.NotContains(t, done.Output.Head, "wrote")
	require.NotContains(t, done.Output.Head, "secret")
	require.Contains(t, done.Output.Head, "named", "what it names it was allowed to read")
	require.Empty(t, done.Refused, "nothing of it is asked about")
}

// Behind the next command nothing would hide the file under its new name.
func TestAClosedCommandMovesNoFolderWithAHiddenFileInIt(t *testing.T) {
	needsWhole(t)
	c := newCage(t)
	write(t, c.folder, "a/b/.env", "secret")
	hidden := filepath.Join(c.folder, "a/b/.env")
	for _, line := range []string{"mv a other", "mv a/b other", "mv a/b a/other", "mv a /tmp/pawl-moved-$$"} {
		require.NotZero(t, c.closed(t, line, hidden).ExitCode, line)
		require.Equal(t, "secret", readFile(t, c.folder, "a/b/.env"), line)
	}
}

// What an unasked command leaves in a cache would be built into the user's other programs.
func TestAClosedCommandHasACacheOfItsOwn(t *testing.T) {
	needsWhole(t)
	c := newCage(t)
	done := c.closed(t, `set -e; mkdir -p "$GOCACHE"; echo x > "$GOCACHE/x"; case $GOCACHE in *pawl-closed*) ;; *) exit 3;; esac`)
	require.Zero(t, done.ExitCode, done.Output.Head)
	require.FileExists(t, filepath.Join(c.outside, ".cache/pawl-closed/go-build/x"))
	write(t, c.outside, "go/pkg/mod/x.go", "package x\n")
	done = c.closed(t, "echo bad >> ../out/go/pkg/mod/x.go")
	require.NotZero(t, done.ExitCode)
	require.Equal(t, "changing "+filepath.Join(c.outside, "go/pkg/mod/x.go"), done.Refused)
	require.NotZero(t, c.run(t, launch.Namespace, "echo x > ../out/.cache/pawl-closed/x", "HOME="+c.outside, "XDG_CACHE_HOME=").ExitCode,
		"and no other command writes there")
}

func TestWhereTheSandboxIsNotWholeNothingRunsClosed(t *testing.T) {
	needsWhole(t)
	c := newCage(t)
	check := func(wanted Containment, policy sandbox.Policy, folder string) string {
		err := CheckClosed(t.Context(), wanted, policy, folder)
		require.Error(t, err)
		command := shellCommand("touch ran")
		command.Folder, command.Closed = folder, true
		_, ran := (&Launcher{Containment: wanted, Sandbox: &policy}).Run(t.Context(), command)
		require.Error(t, ran)
		return err.Error()
	}
	require.Contains(t, check(ContainAuto, sandbox.Policy{Mode: sandbox.Off}, c.folder), `"off"`)
	require.Contains(t, check(ContainSubreaper, sandbox.Policy{}, c.folder), "no namespace of their own")
	t.Setenv("HOME", c.folder)
	require.Contains(t, check(ContainAuto, sandbox.Policy{}, c.folder), "holds the home folder")
	require.Contains(t, check(ContainAuto, sandbox.Policy{}, filepath.Dir(c.folder)), "holds the home folder")
	command := shellCommand("touch ran")
	command.Folder, command.Closed = c.folder, true
	_, err := (&Launcher{}).Run(t.Context(), command)
	require.ErrorContains(t, err, "needs a sandbox")
	require.NoFileExists(t, filepath.Join(c.folder, "ran"))
}

// Only what was refused is asked about: a command that fails by itself is not.
func TestWhatFailsByItselfWasNotRefused(t *testing.T) {
	needsWhole(t)
	c := newCage(t)
	t.Setenv("HOME", c.outside)
	t.Setenv("XDG_CACHE_HOME", "")
	var told []string
	command := shellCommand("cat nothing; ls /root/x; exit 3")
	command.Folder, command.Closed = c.folder, true
	done, err := (&Launcher{Sandbox: &sandbox.Policy{}, Refused: func(c Command, what string) { told = append(told, c.Line()+": "+what) }}).Run(t.Context(), command)
	require.NoError(t, err)
	require.Empty(t, done.Refused)
	require.Empty(t, told)
}
