package socket

import (
	"os"
	"strconv"
)

// firstChild is the oldest child of a process; 0 if none is found.
func firstChild(parent int) int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	var first process
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		p, err := readProcess(pid)
		if err == nil && p.parent == parent && (first.pid == 0 || p.start < first.start || p.start == first.start && p.pid < first.pid) {
			first = p
		}
	}
	return first.pid
}
