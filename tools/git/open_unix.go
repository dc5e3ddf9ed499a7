//go:build !windows

package git

import "syscall"

const noFollow = syscall.O_NOFOLLOW
