package base

import (
	"fmt"
)

// InUse says that a process drives a session now; 0 if its id is not known.
func InUse(pid int) string {
	if pid == 0 {
		return "in use"
	}
	return fmt.Sprintf("in use by process %d", pid)
}
