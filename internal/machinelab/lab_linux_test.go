package machinelab

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long something is waited for that must happen.
const patience = 30 * time.Second

// says is what a command prints on a machine.
func says(t *testing.T, m *Machine, words ...string) string {
	t.Helper()
	out, err := m.Command(t.Context(), "/", os.Environ(), words[0], words[1:]...).CombinedOutput()
	require.NoError(t, err, "%q: %s", words, out)
	return strings.TrimSpace(string(out))
}

func TestMachinesHaveNamesProcessesAndAnUptimeOfTheirOwn(t *testing.T) {
	l := New(t)
	a, b := l.Machine(t, "a"), l.Machine(t, "b", Up(100*time.Hour))
	require.Equal(t, "a", says(t, a, "hostname"))
	require.Equal(t, "b", says(t, b, "hostname"))
	sleeper := a.Command(t.Context(), "/", nil, "/bin/sleep", "4711")
	require.NoError(t, sleeper.Start())
	t.Cleanup(func() { _ = sleeper.Wait() }) // it ends with its machine
	require.Eventually(t, func() bool {
		return len(a.Processes()) == 1 && a.Processes()[0].Command == "/bin/sleep 4711"
	}, patience, time.Millisecond)
	require.Empty(t, b.Processes())
	up := func(m *Machine) time.Duration {
		text := strings.Fields(says(t, m, "cat", "/proc/uptime"))[0]
		d, err := time.ParseDuration(text + "s")
		require.NoError(t, err)
		return d
	}
	require.Greater(t, up(b)-up(a), 99*time.Hour)
	sameDay := says(t, b, "date", "+%s")
	require.Len(t, sameDay, 10)
}

// asked is what a machine gets from an address: what is there says who asked.
func asked(m *Machine, url string, patience time.Duration) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, _ := m.Command(ctx, "/", os.Environ(), "bash", "-c", `exec 3<>/dev/tcp/`+url+` && cat <&3`).Output() // nothing where nobody answers
	return string(out)
}

func TestWhoIsCutOffReachesTheBackNetworkAlone(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash, which speaks to the network here")
	}
	l := New(t)
	a, b := l.Machine(t, "a"), l.Machine(t, "b")
	tell := func(address string) string {
		listener, err := l.Middle().Listen(address)
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return // the test is over
				}
				host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
				_, _ = io.WriteString(conn, host) // who asked may be gone
				_ = conn.Close()
			}
		}()
		host, port, _ := net.SplitHostPort(listener.Addr().String())
		return host + "/" + port
	}
	first, second := tell(l.Middle().Front()+":0"), tell(l.Middle().Back()+":0")
	require.Equal(t, a.Front(), asked(a, first, time.Minute))
	require.Equal(t, b.Back(), asked(b, second, time.Minute))
	a.Cut(t)
	require.Empty(t, asked(a, first, time.Second))
	require.Equal(t, a.Back(), asked(a, second, time.Minute))
	require.Equal(t, b.Front(), asked(b, first, time.Minute), "another machine is not cut off")
	a.Heal(t)
	require.Equal(t, a.Front(), asked(a, first, time.Minute))
}

func TestAMachineThatIsSwitchedOffTakesAllItsProcessesAlong(t *testing.T) {
	l := New(t)
	a := l.Machine(t, "a")
	cables := func() (all []string) {
		for name, m := range map[string]*Machine{"eth0": a, "eth1": a, "front": l.Middle(), "back": l.Middle()} {
			_, line, _ := strings.Cut(says(t, m, "ip", "-o", "link", "show", name), "link/ether ")
			address, _, _ := strings.Cut(line, " ")
			all = append(all, name+" "+address)
		}
		return all
	}
	before := cables()
	cmd := a.Command(t.Context(), "/", os.Environ(), "sh", "-c", "setsid sleep 4711 & setsid sleep 4712 & wait")
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return len(a.Processes()) == 3 }, patience, time.Millisecond)
	all := a.Processes()
	a.Off()
	_ = cmd.Wait() // it was killed
	for _, p := range all {
		require.NoDirExists(t, filepath.Join("/proc", strconv.Itoa(p.ID)))
	}
	require.Empty(t, a.Processes())
	a.On(t)
	require.Equal(t, "a", says(t, a, "hostname"))
	require.ElementsMatch(t, before, cables(), "the others speak to it, and it to them, as before")
	require.Empty(t, a.Processes())
}

func TestOfATestThatIsKilledNothingIsLeft(t *testing.T) {
	if os.Getenv("PAWL_LAB_KILLED") != "" {
		a := New(t).Machine(t, "a")
		require.NoError(t, a.Command(t.Context(), "/", os.Environ(), "setsid", "-f", "sleep", "4711").Run())
		require.Eventually(t, func() bool { return len(a.Processes()) == 1 }, patience, time.Millisecond)
		_, _ = fmt.Println("left", a.first, a.Processes()[0].ID, a.lab.middle.first)
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		return
	}
	New(t)
	cmd := exec.Command(os.Args[0], "-test.run", t.Name())
	cmd.Env = append(os.Environ(), "PAWL_LAB_KILLED=1")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer in.Close()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "left") {
	}
	pids := strings.Fields(lines.Text())
	require.Len(t, pids, 4)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	for _, pid := range pids[1:] {
		require.Eventually(t, func() bool { _, err := os.Stat("/proc/" + pid); return err != nil }, patience, time.Millisecond)
	}
}
