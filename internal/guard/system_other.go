//go:build !linux && !windows

package guard

import (
	"os"

	"golang.org/x/sys/unix"
)

type settings = unix.Termios

func getSettings(fd int) (settings, error) {
	s, err := unix.IoctlGetTermios(fd, unix.TIOCGETA)
	if err != nil {
		return settings{}, err
	}
	return *s, nil
}

// setSettings sets them at once: to wait for the reader could be for ever.
func setSettings(fd int, s settings) error { return unix.IoctlSetTermios(fd, unix.TIOCSETA, &s) }

// foregroundGroup is the process group that a terminal belongs to.
func foregroundGroup(fd int) (int, error) { return unix.IoctlGetInt(fd, unix.TIOCGPGRP) }

// forgetInput drops what a terminal has sent and nobody has read.
func forgetInput(fd int) error {
	const read = 1 // FREAD
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read)
}

// hideMemory does nothing: there is no such thing here.
func hideMemory() {}

// executable is the file that this process was started from.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

func nameProcess(string) {}

// Duplicate makes a copy of a descriptor, not for programs that are started.
func Duplicate(fd int) (int, error) { return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3) }

// Replace makes a descriptor a copy of another.
func Replace(fd, by int) error { return unix.Dup2(by, fd) }

// releaseProgram does nothing: there is no such thing here.
func releaseProgram() {}

func adoptOrphans(bool) {}

func children() map[int]bool { return nil }

// sweep has nothing to find: orphans went to the system's first process.
func (g *guard) sweep() {}
