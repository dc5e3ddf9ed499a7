//go:build !windows

package socket

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"pawl/internal/system"
)

const role = "PAWL_TEST_SOCKET" // what a test's child is for

// A guard starts its host on its first thread: internal/launch sees to it in the program.
func init() { //nolint:gochecknoinits // TestMain runs too late for the first thread
	if os.Getenv(role) == "guard" {
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	if name := os.Getenv(role); name != "" {
		roles[name](os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// roles are what children of the tests do. Each connects to its first argument, a state folder.
var roles = map[string]func(args []string){
	// Prints the first line that the host says.
	"dial": func(args []string) {
		conn := mustDial(args[0])
		line, _, err := conn.ReadLine()
		fmt.Println(string(line), err)
	},
	// Connects, hands the connection to a child of its own and ends.
	"dial and end": func(args []string) {
		conn := mustDial(args[0])
		file, err := conn.conn.File()
		check(err)
		child := exec.Command(os.Args[0]) //nolint:noctx // it outlives this process
		child.Env = append(os.Environ(), role+"=print")
		child.Stdin, child.Stdout = file, os.Stdout
		check(child.Start())
	},
	// Is a guard, or is named like something else, and starts what its next words say.
	"guard":  func(args []string) { named(system.GuardName, args) },
	"rename": func(args []string) { named("sh", args) },
	"pass":   below,
	// Listens until its input ends.
	"listen": func(args []string) {
		l, err := In(args[0]).Listen("s1", nil)
		check(err)
		fmt.Println("listening")
		_, _ = io.Copy(io.Discard, os.Stdin)
		check(l.Close())
	},
	"print": func([]string) { _, _ = io.Copy(os.Stdout, os.Stdin) },
	// Lists the descriptors that it has beside the standard ones.
	"list": func([]string) {
		entries, err := os.ReadDir("/proc/self/fd")
		check(err)
		for _, entry := range entries {
			where, _ := os.Readlink("/proc/self/fd/" + entry.Name())
			fmt.Println(where)
		}
	},
	// Answers over the connection that it has inherited.
	"inherit": func([]string) {
		conn, err := FromFD(3)
		check(err)
		line, _, err := conn.ReadLine()
		check(err)
		check(conn.WriteLine([]byte("got " + string(line))))
	},
}

func named(name string, args []string) {
	check(os.WriteFile("/proc/self/comm", []byte(name), 0))
	below(args)
}

// below is a child in the role of the first word.
func below(args []string) {
	command := exec.Command(os.Args[0], args[1:]...) //nolint:noctx // it ends by itself
	command.Env = append(os.Environ(), role+"="+args[0])
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	check(command.Run())
}

func mustDial(state string) *Conn {
	conn, err := In(state).Dial(context.Background(), "s1")
	check(err)
	return conn
}

func check(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// child is this test binary in a role.
func child(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], args...)
	command.Env = append(os.Environ(), role+"="+name, "GORACE=atexit_sleep_ms=0")
	command.Stderr = os.Stderr
	return command
}

func started(t *testing.T, command *exec.Cmd) *bufio.Reader {
	t.Helper()
	out, in, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = out.Close() })
	command.Stdout = in
	require.NoError(t, command.Start())
	require.NoError(t, in.Close())
	return bufio.NewReader(out)
}

func listening(t *testing.T, folder Folder, refuse func(pid int) error) *Listener {
	t.Helper()
	l, err := folder.Listen("s1", refuse)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return l
}

func accepted(t *testing.T, l *Listener) *Conn {
	t.Helper()
	conn, err := l.Accept(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func dialed(t *testing.T, folder Folder) *Conn {
	t.Helper()
	conn, err := folder.Dial(t.Context(), "s1")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(time.Minute)))
	return conn
}

// pair returns two ends of one connection in this process.
func pair(t *testing.T) (a, b *Conn) {
	t.Helper()
	a, file, err := Pair()
	require.NoError(t, err)
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	b, err = FromFD(fd)
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = a.Close(), b.Close() })
	return a, b
}

// stale leaves a socket that nobody listens at.
func stale(t *testing.T, folder Folder, session string) {
	t.Helper()
	l, err := folder.Listen(session, nil)
	require.NoError(t, err)
	require.NoError(t, l.in.Close()) // as a process that is killed does
}

func longPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), strings.Repeat("a-long-name/", 12))
}
