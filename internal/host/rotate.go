package host

import "os"

// LongestLog is how far a log grows, in bytes, before the next start begins a new
// one and keeps it as the old one.
const LongestLog = 4 << 20

// Rotate renames a log that has grown too long to PATH.old. Where it cannot be renamed it
// grows on.
func Rotate(path string) {
	if info, err := os.Stat(path); err == nil && info.Size() > LongestLog {
		_ = os.Rename(path, path+".old")
	}
}
