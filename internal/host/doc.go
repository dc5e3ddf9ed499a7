// Package host is the machine that a command runs on, and how a command answers it:
// exit codes and usage errors, file locks, signals to this process, disk space and the
// name of the system. It is the leaf on which everything below internal stands.
package host
