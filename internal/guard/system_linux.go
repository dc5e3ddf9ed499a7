package guard

import (
	"os"

	"golang.org/x/sys/unix"
)

type settings = unix.Termios

func getSettings(fd int) (settings, error) {
	s, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return settings{}, err
	}
	return *s, nil
}

// setSettings sets them at once: to wait for the reader could be for ever.
func setSettings(fd int, s settings) error { return unix.IoctlSetTermios(fd, unix.TCSETS, &s) }

// foregroundGroup is the process group that a terminal belongs to.
func foregroundGroup(fd int) (int, error) {
	group, err := unix.IoctlGetUint32(fd, unix.TIOCGPGRP) // as wide as the kernel's
	return int(group), err
}

// forgetInput drops what a terminal has sent and nobody has read.
func forgetInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }

// executable is this very binary, also where its file has been replaced.
func executable() string { return "/proc/self/exe" }

// nameProcess is for people who look at a list of processes. The file, unlike prctl(2),
// names the whole process from whichever thread.
func nameProcess(name string) {
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0) // without a /proc nobody looks
}

// hideMemory keeps what this process was started with, keys among it, from whatever
// else the user runs.
func hideMemory() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) } // it needs no right

// Duplicate makes a copy of a descriptor, not for programs that are started.
func Duplicate(fd int) (int, error) { return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3) }

// Replace makes a descriptor a copy of another.
func Replace(fd, by int) error { return unix.Dup3(by, fd, 0) }

// adoptOrphans makes this process the parent of everything below it whose own
// parent is gone, daemons included.
func adoptOrphans(yes bool) {
	var on uintptr
	if yes {
		on = 1
	}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, on, 0, 0, 0) // Linux 3.4 has it
}
