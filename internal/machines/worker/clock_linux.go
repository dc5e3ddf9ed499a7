package worker

import (
	"time"

	"golang.org/x/sys/unix"
)

// elapsed is the time since this machine was started, with that for which it slept: a lease goes on
// while the machine that holds it sleeps.
func elapsed() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return time.Since(started)
	}
	return time.Duration(now.Nano())
}
