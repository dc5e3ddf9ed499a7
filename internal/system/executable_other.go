//go:build !linux

package system

import "os"

// Executable is the path of the file that this process was started from.
func Executable() string {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}
