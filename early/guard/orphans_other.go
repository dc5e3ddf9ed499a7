//go:build !linux

package guard

import (
	"os"

	"golang.org/x/sys/unix"
)

const sweepText = "but cannot find processes that have left their group: this system does not hand orphans over"

const (
	getSettings = unix.TIOCGETA
	setSettings = unix.TIOCSETA // at once: to wait for the reader could be for ever
	noSignal    = 0             // Go itself ignores SIGPIPE from a socket
)

// executable is the file that this process was started from.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

func nameProcess(string) {}

// forgetInput drops what a terminal has sent and nobody has read.
func forgetInput(fd int) {
	const read = 1 // FREAD
	_ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read)
}

// Dup2 makes the descriptor to a copy of the other.
func Dup2(from, to int) error { return unix.Dup2(from, to) }

func adoptOrphans(bool) {}

func children() map[int]bool { return nil }

// sweep has nothing to find: orphans went to the system's first process.
func (g *guard) sweep() {}
