package guard

import (
	"os"
	"syscall"
	"unsafe"
)

// The system calls that package syscall leaves out. Package unix has them, but it
// wakes late: its name sorts behind those of half the program.

// Numbers of the kernel that syscall does not name; a test holds them against
// package unix.
const (
	ioctlGetTermios = 0x5401 // TCGETS
	ioctlSetTermios = 0x5402 // TCSETS: at once; to wait for the reader could be for ever
	ioctlFlush      = 0x540b // TCFLSH
	setSubreaper    = 36     // PR_SET_CHILD_SUBREAPER
	setDumpable     = 4      // PR_SET_DUMPABLE
)

type settings = syscall.Termios

func ioctl(fd int, request, argument uintptr) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, argument); errno != 0 {
		return errno
	}
	return nil
}

func getSettings(fd int) (s settings, err error) {
	err = ioctl(fd, ioctlGetTermios, uintptr(unsafe.Pointer(&s)))
	return s, err
}

func setSettings(fd int, s settings) error {
	return ioctl(fd, ioctlSetTermios, uintptr(unsafe.Pointer(&s)))
}

// foregroundGroup is the process group that a terminal belongs to.
func foregroundGroup(fd int) (int, error) {
	var group int32
	err := ioctl(fd, syscall.TIOCGPGRP, uintptr(unsafe.Pointer(&group)))
	return int(group), err
}

// forgetInput drops what a terminal has sent and nobody has read.
func forgetInput(fd int) error { return ioctl(fd, ioctlFlush, syscall.TCIFLUSH) }

// executable is this very binary, also where its file has been replaced.
func executable() string { return "/proc/self/exe" }

// nameProcess is for people who look at a list of processes. The file, unlike prctl(2),
// names the whole process from whichever thread.
func nameProcess(name string) {
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0) // without a /proc nobody looks
}

// hideMemory keeps what this process was started with, keys among it, from whatever
// else the user runs.
func hideMemory() { _, _, _ = syscall.Syscall(syscall.SYS_PRCTL, setDumpable, 0, 0) }

// Duplicate makes a copy of a descriptor, not for programs that are started.
func Duplicate(fd int) (int, error) {
	own, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, 3)
	if errno != 0 {
		return 0, errno
	}
	return int(own), nil
}

// Replace makes a descriptor a copy of another.
func Replace(fd, by int) error { return syscall.Dup3(by, fd, 0) }

// adoptOrphans makes this process the parent of everything below it whose own
// parent is gone, daemons included.
func adoptOrphans(yes bool) {
	var on uintptr
	if yes {
		on = 1
	}
	_, _, _ = syscall.Syscall(syscall.SYS_PRCTL, setSubreaper, on, 0) // Linux 3.4 has it
}
