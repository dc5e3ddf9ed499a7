//go:build !windows

package socket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"pawl/internal/system"
)

func ours(info fs.FileInfo) bool {
	about, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(about.Uid) == os.Geteuid()
}

// lockRetry is how often a lock that is taken is tried again. Whoever holds it renames or removes
// one file.
const lockRetry = 2 * time.Millisecond

// lock waits until this process alone changes the names in the folder.
func (f Folder) lock(ctx context.Context) (release func(), err error) {
	file, err := os.OpenFile(filepath.Join(f.path, lockName), os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the folder for sockets: %w", err)
	}
	for {
		err = system.LockFile(file, system.LockNow)
		if err == nil {
			return func() { _ = file.Close() }, nil // the lock goes with it
		}
		if errors.Is(err, unix.EWOULDBLOCK) && wait(ctx, lockRetry) == nil {
			continue
		}
		_ = file.Close()
		return nil, fmt.Errorf("lock the folder for sockets %s: %w", f.path, err)
	}
}

// wait waits for a while, or until ctx ends, whose error it then returns.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// address calls use with an address for a name in the folder that the system's calls take. Those
// know no path as long as a folder's can be; Linux has a short one for each open folder.
func (f Folder) address(name string, use func(address string) error) error {
	path := filepath.Join(f.path, name)
	if len(path) < len(syscall.RawSockaddrUnix{}.Path) {
		return use(path)
	}
	if runtime.GOOS != "linux" {
		return fmt.Errorf("the path %s is too long for a socket: set PAWL_HOME to a folder with a shorter path", path)
	}
	return throughDescriptor(f.path, name, use)
}
