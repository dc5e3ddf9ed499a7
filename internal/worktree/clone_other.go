//go:build !linux

package worktree

import (
	"errors"
	"os"
)

// clone makes a file share what another holds, until one of them is changed. Here it is copied.
func clone(_, _ *os.File) error { return errors.ErrUnsupported }
