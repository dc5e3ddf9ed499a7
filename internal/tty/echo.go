//go:build !windows

package tty

import (
	"os"

	"golang.org/x/sys/unix"
)

// Silence makes a terminal show nothing of what is typed, line by line as before. restore puts it
// back as it was, and may be called more than once.
func Silence(terminal *os.File) (restore func(), err error) {
	fd := int(terminal.Fd())
	before, err := getSettings(fd)
	if err != nil {
		return nil, err
	}
	silent := before
	silent.Lflag = silent.Lflag&^unix.ECHO | unix.ICANON | unix.ISIG
	silent.Iflag |= unix.ICRNL
	return func() { _ = setSettings(fd, before) }, setSettings(fd, silent)
}
