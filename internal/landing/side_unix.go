//go:build unix

package landing

import "syscall"

// errNotFolder is the error of a path below a file.
var errNotFolder error = syscall.ENOTDIR
