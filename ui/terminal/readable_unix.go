//go:build !windows

package terminal

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// readable reports whether something can be read within this time; true if that is not known.
func readable(fd int32, within time.Duration) bool {
	files := []unix.PollFd{{Fd: fd, Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(files, int(within.Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n != 0 || err != nil
		}
	}
}
