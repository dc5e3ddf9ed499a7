package socket

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// peer is the process that has connected, or that listens.
type peer struct {
	uid, pid int
	pidfd    int  // stays this process's whoever gets its number later; -1: there is none
	gone     bool // the kernel knew it no more
}

func peerOf(conn *net.UnixConn) (peer, error) {
	p := peer{pidfd: -1}
	err := withFD(conn, func(fd int) error {
		who, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err != nil {
			return err
		}
		p.uid, p.pid = int(who.Uid), int(who.Pid)
		pidfd, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PEERPIDFD)
		switch {
		case err == nil:
			p.pidfd = pidfd
		case errors.Is(err, unix.ESRCH), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENODATA):
			p.gone = true
		default: // before Linux 6.5
		}
		return nil
	})
	return p, err
}

// ended reports whether the process has ended.
func (p peer) ended() bool {
	if p.gone || p.pidfd < 0 {
		now, err := readProcess(p.pid)
		return p.gone || err != nil || now.ended
	}
	event := []unix.PollFd{{Fd: int32(p.pidfd), Events: unix.POLLIN}} //nolint:gosec // a descriptor
	for {
		n, err := unix.Poll(event, 0)
		if !errors.Is(err, unix.EINTR) {
			return err != nil || n > 0
		}
	}
}

func (p peer) close() {
	if p.pidfd >= 0 {
		_ = unix.Close(p.pidfd)
	}
}

// readStat reads what the kernel says of a process, in one piece; os.ReadFile takes ten calls for it,
// and every connection asks for some ten processes.
func readStat(pid int) ([]byte, error) {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("open", err)
	}
	defer func() { _ = unix.Close(fd) }()
	const longest = 2048 // fifty numbers and a name
	text := make([]byte, longest)
	for {
		n, err := unix.Read(fd, text)
		if !errors.Is(err, unix.EINTR) {
			return text[:max(n, 0)], os.NewSyscallError("read", err)
		}
	}
}

func readProcess(pid int) (process, error) {
	text, err := readStat(pid)
	if err != nil {
		return process{}, err
	}
	// PID (NAME) STATE PPID …: the name may hold anything.
	begins, ends := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	fields := bytes.Fields(text[ends+1:])
	const stateAt, parentAt, startAt = 0, 1, 19
	if len(fields) <= startAt || begins < 0 || ends < begins {
		return process{}, fmt.Errorf("/proc/%d/stat is of an unknown form", pid)
	}
	parent, err := strconv.Atoi(string(fields[parentAt]))
	if err != nil {
		return process{}, err
	}
	start, err := strconv.ParseInt(string(fields[startAt]), 10, 64)
	state := fields[stateAt][0]
	name := string(text[begins+1 : ends])
	return process{pid: pid, parent: parent, start: start, name: name, ended: state == 'Z' || state == 'X'}, err
}
