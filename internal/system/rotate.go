package system

import "os"

// LongestLog is the size in bytes above which Rotate renames a log.
const LongestLog = 4 << 20

// Rotate renames a log that is longer than LongestLog to PATH.old. If it cannot be renamed it
// keeps growing.
func Rotate(path string) {
	if info, err := os.Stat(path); err == nil && info.Size() > LongestLog {
		_ = os.Rename(path, path+".old")
	}
}
