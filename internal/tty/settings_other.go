//go:build !linux && !windows

package tty

import "golang.org/x/sys/unix"

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
