package process

import (
	"bytes"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"pawl/internal/launch"
)

// modesHere are what can be tried, the strongest first.
func modesHere() []launch.Mode {
	return []launch.Mode{launch.Namespace, launch.Subreaper, launch.Group}
}

// helperPath is this very program, also where another has taken its place on disk.
func helperPath() (string, error) { return "/proc/self/exe", nil }

// attributes gives the helper a session of its own. Only process 1 of a
// namespace is killed with Pawl: what it kept dies with it. Another one is to live
// a moment longer, to end what it keeps.
func (m helperSetup) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setsid: true}
	loopback := m.confinement != nil && m.confinement.Loopback
	if loopback {
		attributes.Cloneflags = syscall.CLONE_NEWNET
	}
	if m.mode != launch.Namespace {
		return attributes
	}
	attributes.Pdeathsig = syscall.SIGKILL
	attributes.Cloneflags |= syscall.CLONE_NEWPID | syscall.CLONE_NEWNS
	if administers() {
		return attributes
	}
	attributes.Cloneflags |= syscall.CLONE_NEWUSER
	if os.Geteuid() == 0 {
		// Root without this right still has its others: packages can be installed.
		attributes.UidMappings, attributes.GidMappings = sameIDs("uid"), sameIDs("gid")
		attributes.GidMappingsEnableSetgroups = true
		return attributes
	}
	attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	// Lent for the mounts, and to limit what can be had; the helper gives them back
	// before the command starts.
	attributes.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP}
	if loopback {
		attributes.AmbientCaps = append(attributes.AmbientCaps, unix.CAP_NET_ADMIN)
	}
	return attributes
}

// administers says whether namespaces can be made without a user namespace.
func administers() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	return os.Geteuid() == 0 && unix.Capget(&header, &sets[0]) == nil && sets[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}

// hideMemory keeps other processes of this user from reading this one's memory and
// environment; and debuggers, and core dumps. Where the kernel refuses nothing is
// lost that was there.
func hideMemory() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// sameIDs maps every id that there is here to itself.
func sameIDs(kind string) []syscall.SysProcIDMap {
	text, _ := os.ReadFile("/proc/self/" + kind + "_map") // unread, the start fails and says so
	var same []syscall.SysProcIDMap
	for line := range bytes.Lines(text) {
		var inside, outside, size int
		if _, err := fmt.Sscan(string(line), &inside, &outside, &size); err == nil {
			same = append(same, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
		}
	}
	return same
}
