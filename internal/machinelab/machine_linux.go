package machinelab

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Machine is one machine of a lab.
type Machine struct {
	Name   string // also what it calls itself
	number int    // in its networks
	uptime time.Duration
	lab    *Lab

	first int       // the process that all others of it end with, as the test's own namespace counts; 0: off
	power io.Closer // the standard input of that
	cmd   *exec.Cmd
}

// Trait is what is special about a machine.
type Trait func(*Machine)

// Up makes a machine count as switched on that much longer than this one: its monotonic clock is
// ahead by it. The kernel shifts no time of day.
func Up(ahead time.Duration) Trait { return func(m *Machine) { m.uptime = ahead } }

// Front is its address in the network that can be cut.
func (m *Machine) Front() string { return front + strconv.Itoa(m.number) }

// Back is its address in the other one.
func (m *Machine) Back() string { return back + strconv.Itoa(m.number) }

// On switches a machine on that is off: both networks are there, none is cut.
func (m *Machine) On(t testing.TB) {
	t.Helper()
	require.Zero(t, m.first, "%s is on", m.Name)
	m.boot(t)
	for i, net := range []struct{ bridge, address string }{{"front", m.Front()}, {"back", m.Back()}} {
		link, device := m.link(net.bridge), fmt.Sprintf("eth%d", i)
		m.lab.middle.ip(t, "link", "add", link, "type", "veth", "peer", "name", device,
			"address", hardware(net.address), "netns", strconv.Itoa(m.first))
		m.lab.middle.ip(t, "link", "set", link, "master", net.bridge, "up")
		m.ip(t, "address", "add", net.address+"/24", "dev", device)
		m.ip(t, "link", "set", device, "up")
	}
}

// link is the middle's end of its cable to a network.
func (m *Machine) link(network string) string { return network + strconv.Itoa(m.number) }

// boot starts its first process, and waits until that runs. It ignores the ends of its children, so
// that the kernel does away with orphans.
func (m *Machine) boot(t testing.TB) {
	t.Helper()
	args := []string{"--net", "--pid", "--uts", "--mount", "--fork", "--kill-child", "--mount-proc"}
	if m.uptime != 0 {
		ahead := strconv.Itoa(int(m.uptime.Seconds()))
		args = append(args, "--time", "--monotonic", ahead, "--boottime", ahead)
	}
	args = append(args, "sh", "-c", `hostname "$0" && ip link set lo up && trap "" CHLD && echo up && exec cat`, m.Name)
	m.cmd = exec.CommandContext(context.Background(), "unshare", args...) // it ends with its input
	in, err := m.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := m.cmd.StdoutPipe()
	require.NoError(t, err)
	errs := new(bytes.Buffer) // it also complains of its end
	m.cmd.Stderr = errs
	require.NoError(t, m.cmd.Start())
	m.power = in
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "up\n" { // the end of its output is a failure, too
		_ = m.cmd.Wait() // it has ended
		require.FailNow(t, m.Name+" does not start", errs.String())
	}
	m.first = childOf(m.cmd.Process.Pid)
	require.NotZero(t, m.first)
}

// Off switches a machine off, as if its power went: all its processes end at once, and so does its
// network. One that is off stays so.
func (m *Machine) Off() {
	if m.first == 0 {
		return
	}
	_ = syscall.Kill(m.first, syscall.SIGKILL) // it may have ended
	m.first = 0
	_ = m.cmd.Wait() // until the last process has ended; the code says nothing
	_ = m.power.Close()
	for _, network := range []string{"front", "back"} { // the kernel does away with its networks, later
		_ = m.lab.middle.enter("ip", "link", "delete", m.link(network)).Run() // or the middle is off, too
	}
}

// IsOn says whether it is on.
func (m *Machine) IsOn() bool { return m.first != 0 }

// Cut takes a machine off the front network: what is under way is lost without a word, as behind a
// cable that was pulled.
func (m *Machine) Cut(t testing.TB) {
	t.Helper()
	m.lab.middle.ip(t, "link", "set", m.link("front"), "nomaster")
}

// Heal puts it back.
func (m *Machine) Heal(t testing.TB) {
	t.Helper()
	m.lab.middle.ip(t, "link", "set", m.link("front"), "master", "front")
}

// childOf is the first child of a process, 0 if it has none.
func childOf(pid int) int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // it may be gone
	for _, path := range lists {
		list, _ := os.ReadFile(path) // and so may a thread
		for word := range strings.FieldsSeq(string(list)) {
			if child, err := strconv.Atoi(word); err == nil {
				return child
			}
		}
	}
	return 0
}
