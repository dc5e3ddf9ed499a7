package process

import (
	"bytes"
	"os"
	"strconv"

	"pawl/lifecycle"
)

// ListMarked lists the processes of this user that carry Pawl's mark now. One
// that has cleared its environment is not among them. It reports false where the
// system does not tell.
func ListMarked() (found []Marked, told bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, false
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		if run := runOf(pid); run != "" { // a zombie has no environment
			found = append(found, Marked{PID: pid, Run: run, Name: nameOf(pid)})
		}
	}
	_, err = os.Stat("/proc/self/environ")
	return found, err == nil
}

// runOf is the run in the environment that a process was started with; empty for
// those of other users too, which cannot be read.
func runOf(pid int) lifecycle.RunID {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if run, ok := bytes.CutPrefix(entry, []byte(runName+"=")); ok {
			return lifecycle.RunID(run)
		}
	}
	return ""
}

func nameOf(pid int) string {
	name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		return "" // it has ended meanwhile
	}
	return string(bytes.TrimSpace(name))
}
