package fleet

import (
	"bytes"
	"os"
	"strconv"
)

// OwnMemory is how many bytes of memory this process has in use; 0 if the system does not say.
func OwnMemory() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	const residentAt = 1 // in pages
	fields := bytes.Fields(text)
	if len(fields) <= residentAt {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[residentAt]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
