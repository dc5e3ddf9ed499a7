//go:build !windows

package remote

import "golang.org/x/sys/unix"

// signalName is a signal's name, such as SIGKILL; empty for other numbers.
func signalName(signal int) string { return unix.SignalName(unix.Signal(signal)) }
