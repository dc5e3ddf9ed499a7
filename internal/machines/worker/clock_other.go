//go:build !linux

package worker

import "time"

// elapsed is the time since this program was started, without that for which the machine slept.
func elapsed() time.Duration { return time.Since(started) }
