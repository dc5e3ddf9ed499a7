package handover

import "syscall"

// ExitCode is the exit code that a signal to the front stands for, as shells count.
func ExitCode(signal int) int { return 128 + signal }

// asksForEnd reports whether a signal is one of those that fronts pass on.
func asksForEnd(signal int) bool { return signal == int(syscall.SIGINT) || Hangup(signal) }

// Hangup reports whether a signal says that the terminal goes away, and not that its user wants an
// end.
func Hangup(signal int) bool {
	return signal == int(syscall.SIGHUP) || signal == int(syscall.SIGTERM) || signal == int(syscall.SIGQUIT)
}
