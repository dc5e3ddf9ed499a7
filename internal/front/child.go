//go:build !windows

package front

import "syscall"

// child is a guard that this process has started.
type child struct {
	ended chan struct{} // closed when it has ended and status is set
	code  int           // its exit code, as shells count
}

// reap waits for a child.
func reap(pid int) *child {
	c := &child{ended: make(chan struct{})}
	go func() {
		defer close(c.ended)
		var status syscall.WaitStatus
		for {
			_, err := syscall.Wait4(pid, &status, 0, nil)
			if err != syscall.EINTR {
				break
			}
		}
		if c.code = status.ExitStatus(); status.Signaled() {
			c.code = 128 + int(status.Signal())
		}
	}()
	return c
}
