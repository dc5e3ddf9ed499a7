package socket

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

func throughDescriptor(folder, name string, use func(address string) error) error {
	fd, err := unix.Open(folder, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open the folder for sockets %s: %w", folder, err)
	}
	defer func() { _ = unix.Close(fd) }()
	return use("/proc/self/fd/" + strconv.Itoa(fd) + "/" + name)
}
