package stories

import "golang.org/x/sys/unix"

// hasLandlock says whether the kernel can keep a command from anything.
func hasLandlock() bool {
	version, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	return failed == 0 && version > 0
}
