package tty

import "golang.org/x/sys/unix"

type settings = unix.Termios

func getSettings(fd int) (settings, error) {
	s, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return settings{}, err
	}
	return *s, nil
}

// setSettings sets them at once: waiting for the reader could take for ever.
func setSettings(fd int, s settings) error { return unix.IoctlSetTermios(fd, unix.TCSETS, &s) }

// foregroundGroup returns the process group in the foreground of a terminal.
func foregroundGroup(fd int) (int, error) {
	group, err := unix.IoctlGetUint32(fd, unix.TIOCGPGRP) // a pid_t, 32 bits wide
	return int(group), err
}

func discardInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
