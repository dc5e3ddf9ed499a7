//go:build !linux

package system

import "os"

// own is the path of the file that this process was started from, and what that file was then.
var own, ownFile = startedFrom()

func startedFrom() (path string, file os.FileInfo) {
	path, err := os.Executable()
	if err != nil {
		return os.Args[0], nil
	}
	file, err = os.Stat(path)
	if err != nil {
		return path, nil
	}
	return path, file
}

// Executable is the path of this program's file, also after pawl update has put another into its
// place.
func Executable() string { return where(own, ownFile) }
