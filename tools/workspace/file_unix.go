//go:build !windows

package workspace

import (
	"io/fs"
	"syscall"
)

const onlyFolder = syscall.O_DIRECTORY

func linksOf(info fs.FileInfo) uint64 {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return uint64(stat.Nlink) //nolint:unconvert,nolintlint // of another width on each system
}
