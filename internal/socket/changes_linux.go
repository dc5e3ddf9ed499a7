package socket

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Changes rings whenever a socket comes to the folder or goes, until ctx ends. Several changes may
// be one ring.
func (f Folder) Changes(ctx context.Context) (<-chan struct{}, error) {
	if err := f.prepare(); err != nil {
		return nil, err
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", f.path, err)
	}
	file := os.NewFile(uintptr(fd), "changes of "+f.path) //nolint:gosec // a descriptor
	if _, err := unix.InotifyAddWatch(fd, f.path, unix.IN_MOVED_TO|unix.IN_DELETE); err != nil {
		file.Close()
		return nil, fmt.Errorf("watch %s: %w", f.path, err)
	}
	rings := make(chan struct{}, 1)
	context.AfterFunc(ctx, func() { file.Close() })
	go func() {
		for buffer := make([]byte, 4096); ; {
			if _, err := file.Read(buffer); err != nil {
				return // ctx has ended
			}
			select {
			case rings <- struct{}{}:
			default: // it rings already
			}
		}
	}()
	return rings, nil
}
