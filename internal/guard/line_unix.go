//go:build !windows

package guard

import (
	"os"
	"strconv"
	"syscall"
)

// takeLine takes the line from the environment and reports whether there is one. The variable
// alone proves nothing: it must name a socket.
func takeLine() bool {
	value, there := os.LookupEnv(variable)
	if !there {
		return false
	}
	_ = os.Unsetenv(variable) // programs started later must not see it
	fd, err := strconv.Atoi(value)
	if err != nil || fd <= 2 {
		return false
	}
	var about syscall.Stat_t
	if syscall.Fstat(fd, &about) != nil || about.Mode&syscall.S_IFMT != syscall.S_IFSOCK {
		return false
	}
	syscall.CloseOnExec(fd)
	line = fd
	NameProcess(baseName(os.Args[0]))
	return true
}
