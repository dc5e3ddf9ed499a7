package system

import "os"

// Previous is where the program is kept that was replaced by another.
func Previous(program string) string { return program + ".previous" }

// where is the path that a program's file has now, which was at a path when it was started. If it is
// nowhere, it is that path: a program that runs has no better.
func where(path string, file os.FileInfo) string {
	if file == nil {
		return path
	}
	if now, err := os.Stat(path); err == nil && os.SameFile(now, file) {
		return path
	}
	if kept, err := os.Stat(Previous(path)); err == nil && os.SameFile(kept, file) {
		return Previous(path)
	}
	return path
}
