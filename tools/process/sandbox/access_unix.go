//go:build !windows

package sandbox

import "syscall"

// writeAccess says why a path cannot be written.
func writeAccess(path string) error {
	const forWriting = 2
	return syscall.Access(path, forWriting)
}
