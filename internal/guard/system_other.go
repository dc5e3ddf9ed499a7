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

// setSettings sets them at once: waiting for the reader could take for ever.
func setSettings(fd int, s settings) error { return unix.IoctlSetTermios(fd, unix.TIOCSETA, &s) }

// foregroundGroup returns the process group in the foreground of a terminal.
func foregroundGroup(fd int) (int, error) { return unix.IoctlGetInt(fd, unix.TIOCGPGRP) }

func discardInput(fd int) error {
	const read = 1 // FREAD
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read)
}

func hideMemory() {}

// executable is the path of the file that this process was started from.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

func nameProcess(string) {}

// Duplicate returns a copy of a descriptor that started programs do not inherit.
func Duplicate(fd int) (int, error) { return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3) }

// Replace makes a descriptor a copy of another.
func Replace(fd, by int) error { return unix.Dup2(by, fd) }

func releaseProgram() {}

func adoptOrphans(bool) {}

func children() map[int]bool { return nil }

// sweep does nothing: here orphans go to process 1.
func (g *guard) sweep() {}
