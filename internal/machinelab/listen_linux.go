package machinelab

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Listen listens on an address of a machine's, of its front or back, for this process: what is
// accepted there came over the lab's networks.
func (m *Machine) Listen(address string) (listener net.Listener, err error) {
	done := make(chan struct{})
	go func() { // a thread that stays in that network, and ends with this goroutine
		defer close(done)
		runtime.LockOSThread()
		var space *os.File
		if space, err = os.Open(fmt.Sprintf("/proc/%d/ns/net", m.first)); err != nil {
			return
		}
		defer space.Close()
		if err = unix.Setns(int(space.Fd()), unix.CLONE_NEWNET); err != nil {
			return
		}
		listener, err = new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	}()
	<-done
	return listener, err
}
