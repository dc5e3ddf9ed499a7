package machinelab

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The two networks of a lab.
const (
	front = "10.77.1."
	back  = "10.77.2."
)

// Lab is some machines and what joins them. It belongs to the goroutine of its test.
type Lab struct {
	middle   *Machine
	machines map[string]*Machine
}

// New makes a lab without machines, which ends with the test. It skips the test where it cannot.
func New(t testing.TB) *Lab {
	t.Helper()
	if missing := Missing(); missing != "" {
		t.Skip("no lab of machines: " + missing)
	}
	l := &Lab{machines: map[string]*Machine{}}
	l.middle = &Machine{Name: "middle", number: 1, lab: l}
	l.middle.boot(t)
	t.Cleanup(l.middle.Off)
	for _, bridge := range []struct{ name, network string }{{"front", front}, {"back", back}} {
		address := bridge.network + "1"
		l.middle.ip(t, "link", "add", bridge.name, "address", hardware(address), "type", "bridge")
		l.middle.ip(t, "address", "add", address+"/24", "dev", bridge.name)
		l.middle.ip(t, "link", "set", bridge.name, "up")
	}
	return l
}

// hardware is the hardware address that goes with an IP address, always the same. By itself a bridge
// takes the lowest of its ports, which is another one when a machine is switched off: the others would
// send to an address that is gone until their tables age, up to a minute later.
func hardware(address string) string {
	at := netip.MustParseAddr(address).As4()
	return net.HardwareAddr(append([]byte{2, 0}, at[:]...)).String()
}

// Missing says why there can be no lab here, in words; nothing if there can.
func Missing() string {
	if os.Getuid() != 0 {
		return "it takes root"
	}
	for _, program := range []string{"ip", "unshare", "nsenter"} {
		if _, err := exec.LookPath(program); err != nil {
			return program + " is not installed"
		}
	}
	if out, err := exec.CommandContext(context.Background(), "unshare", "--net", "--pid", "--uts", "--mount", "--fork", "--mount-proc", "ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		return fmt.Sprintf("namespaces cannot be made: %s (%v)", strings.TrimSpace(string(out)), err)
	}
	return ""
}

// Middle is the machine between all others, which is never cut off: where a server can run.
func (l *Lab) Middle() *Machine { return l.middle }

// Machine makes a machine and switches it on.
func (l *Lab) Machine(t testing.TB, name string, traits ...Trait) *Machine {
	t.Helper()
	m := &Machine{Name: name, number: 10 + len(l.machines), lab: l}
	for _, trait := range traits {
		trait(m)
	}
	l.machines[name] = m
	t.Cleanup(m.Off)
	m.On(t)
	return m
}

// ip runs ip in the network of a machine.
func (m *Machine) ip(t testing.TB, args ...string) {
	t.Helper()
	out, err := m.enter("ip", args...).CombinedOutput()
	require.NoError(t, err, "ip %q on %s: %s", args, m.Name, out)
}

// enter runs a program in the network of a machine, and else here.
func (m *Machine) enter(name string, args ...string) *exec.Cmd {
	return exec.CommandContext(context.Background(), "nsenter", append([]string{"--target", strconv.Itoa(m.first), "--net", "--", name}, args...)...)
}
