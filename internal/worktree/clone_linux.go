package worktree

import (
	"os"

	"golang.org/x/sys/unix"
)

// clone makes a file share what another holds, until one of them is changed. Where the file system
// cannot, it is an error.
func clone(to, from *os.File) error { return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) }
