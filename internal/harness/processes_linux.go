//go:build unix

package harness

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Processes lists those of this stage whose command line, its words parted by NUL,
// matches.
func (s *Stage) Processes(match func(command string) bool) []int {
	entries, _ := os.ReadDir("/proc")
	var found []int
	for _, entry := range entries {
		line, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline"))
		environ, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "environ"))
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && match(string(line)) && bytes.Contains(environ, []byte("PAWL_HOME="+s.Home+"\x00")) {
			found = append(found, pid)
		}
	}
	return found
}
