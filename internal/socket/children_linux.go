package socket

import (
	"bytes"
	"os"
	"strconv"
)

// firstChild is the oldest child of a guard, its host; 0 if none is found. A guard starts its host on
// its first thread, whose children the kernel lists in the order in which they came; orphans that the
// guard adopts come behind it. A kernel without such lists has all processes searched.
func firstChild(parent int) int {
	id := strconv.Itoa(parent)
	list, err := os.ReadFile("/proc/" + id + "/task/" + id + "/children")
	if err != nil {
		return searchFirstChild(parent)
	}
	first, _, _ := bytes.Cut(list, []byte(" "))
	pid, err := strconv.Atoi(string(first))
	if err != nil {
		return 0 // it has none
	}
	return pid
}

func searchFirstChild(parent int) int {
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
