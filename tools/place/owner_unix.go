//go:build !windows

package place

import (
	"io/fs"
	"os"
	"syscall"
)

// CopyOwner gives a file the owner of another, where that is allowed. It comes before the mode: a
// change of owner takes mode bits away.
func CopyOwner(f *os.File, like fs.FileInfo) {
	if stat, known := like.Sys().(*syscall.Stat_t); known {
		// Only root may give files away; for others it is theirs already.
		_ = f.Chown(int(stat.Uid), int(stat.Gid))
	}
}
