package base

import (
	"fmt"
)

// InUse says that some process drives a session now: 0 is one that has not said
// which it is.
func InUse(pid int) string {
	if pid == 0 {
		return "in use"
	}
	return fmt.Sprintf("in use by process %d", pid)
}
