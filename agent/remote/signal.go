package remote

import "golang.org/x/sys/unix"

// nameOf is a signal's name, such as SIGKILL.
func nameOf(signal int) string { return unix.SignalName(unix.Signal(signal)) }
