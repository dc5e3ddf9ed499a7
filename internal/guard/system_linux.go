package guard

import (
	"os"

	"golang.org/x/sys/unix"
)

// NameProcess sets the name shown in process lists. Unlike prctl(2), the file names the whole
// process from any thread.
func NameProcess(name string) {
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0) // without /proc there is no name to set
}

// HideMemory keeps the environment of this process, keys included, from other programs of the
// user.
func HideMemory() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) } // needs no privilege

// Duplicate returns a copy of a descriptor that started programs do not inherit.
func Duplicate(fd int) (int, error) { return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3) }

// Replace makes a descriptor a copy of another.
func Replace(fd, by int) error { return unix.Dup3(by, fd, 0) }

// adoptOrphans makes this process the parent of all orphans below it, daemons included.
func adoptOrphans(yes bool) {
	var on uintptr
	if yes {
		on = 1
	}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, on, 0, 0, 0) // Linux 3.4 has it
}
