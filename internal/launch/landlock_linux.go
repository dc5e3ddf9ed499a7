package launch

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Landlock(7) by its raw system calls, whose numbers are the same everywhere. The libraries
// restrict a whole process. Here only the thread that forks the command is restricted: the
// helper's others go on reading /proc and ending what is left.
const (
	sysCreateRuleset = 444
	sysAddRule       = 445
	sysRestrictSelf  = 446

	sysOpenat2     = 437
	resolveNoLinks = 4 // RESOLVE_NO_SYMLINKS

	rulesetVersion = 1 // flag: only return the version
	rulePath       = 1

	oPath          = 0x200000 // O_PATH
	prNoNewPrivs   = 38
	firstWithRefer = 2 // versions of the Landlock ABI
	firstWithTrunc = 3
	firstWithTCP   = 4
	firstWithScope = 6
)

// Rights to change files. Reading and executing stay free, and so do the ioctls of devices,
// which terminals need.
const (
	writeFile = 1 << 1
	// Making devices is never granted: to root they give access to the disk.
	makeDevices = 1<<6 | 1<<11
	// Removing and creating: folders, files, sockets, FIFOs, links.
	changeFolder = 1<<4 | 1<<5 | 1<<7 | 1<<8 | 1<<9 | 1<<10 | 1<<12
	refer        = 1 << 13 // moving and linking between folders
	truncate     = 1 << 14

	scopes = 1<<0 | 1<<1 // abstract sockets, signals
)

// rulesetAttributes is struct landlock_ruleset_attr. net stays 0: TCP is left to the filter.
type rulesetAttributes struct{ files, net, scoped uint64 }

type pathAttributes struct {
	allowed uint64
	parent  int32 // the structure is packed: 12 bytes
}

// LandlockVersion returns the version of the kernel's Landlock ABI, or why there is none.
func LandlockVersion() (int, error) {
	version, _, err := syscall.RawSyscall(sysCreateRuleset, 0, 0, rulesetVersion)
	if err != 0 {
		return 0, err
	}
	return int(version), nil
}

// restrict applies the confinement to this thread and whatever it forks.
func (c *Confinement) restrict() (step string, err error) {
	if c == nil {
		return "", nil
	}
	// Threads that Go starts while this one is locked are cloned from an unrestricted one.
	runtime.LockOSThread()
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, prNoNewPrivs, 1, 0, 0, 0, 0); err != 0 {
		return StepLandlock, err
	}
	if err := dropCapabilities(); err != nil {
		return stepCapabilities, err
	}
	if c.Landlock {
		version, err := LandlockVersion()
		if err == nil {
			err = c.landlock(version)
		}
		if err != nil {
			return StepLandlock, err
		}
	}
	if c.NoNetwork {
		return StepFilter, c.filter()
	}
	return "", nil
}

func (c *Confinement) landlock(version int) error {
	attributes, size := handled(version)
	ruleset, _, err := syscall.RawSyscall(sysCreateRuleset, uintptr(unsafe.Pointer(&attributes)), size, 0)
	if err != 0 {
		return err
	}
	defer func() { _ = syscall.Close(int(ruleset)) }()
	for _, path := range c.Write {
		if err := grant(int(ruleset), path, attributes.files&^makeDevices); err != nil {
			return err
		}
	}
	if _, _, err := syscall.RawSyscall(sysRestrictSelf, ruleset, 0, 0); err != 0 {
		return err
	}
	return nil
}

// handled returns the rights that are denied unless a rule grants them, and the size of the
// structure in this version of the ABI.
func handled(version int) (rulesetAttributes, uintptr) {
	attributes := rulesetAttributes{files: writeFile | makeDevices | changeFolder}
	size := unsafe.Sizeof(attributes.files)
	if version >= firstWithRefer {
		attributes.files |= refer
	}
	if version >= firstWithTrunc {
		attributes.files |= truncate
	}
	if version >= firstWithTCP {
		size += unsafe.Sizeof(attributes.net)
	}
	if version >= firstWithScope {
		size += unsafe.Sizeof(attributes.scoped)
		attributes.scoped = scopes
	}
	return attributes, size
}

// openPlain opens a path that must not contain symbolic links. They were resolved when the path
// was checked; one that is there now was put there since. It uses openat2(2), which is older
// than Landlock.
func openPlain(path string) (int, error) {
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return -1, err
	}
	how := struct{ flags, mode, resolve uint64 }{flags: oPath | syscall.O_CLOEXEC, resolve: resolveNoLinks}
	folder := atFDCWD
	fd, _, number := syscall.RawSyscall6(sysOpenat2, uintptr(folder), uintptr(unsafe.Pointer(name)),
		uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
	if number != 0 {
		return -1, number
	}
	return int(fd), nil
}

// grant allows changes below a path. One that cannot be opened is skipped.
func grant(ruleset int, path string, rights uint64) error {
	fd, err := openPlain(path)
	if err != nil {
		return nil
	}
	defer func() { _ = syscall.Close(fd) }()
	var about syscall.Stat_t
	if err := syscall.Fstat(fd, &about); err != nil {
		return err
	}
	if about.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		rights &= writeFile | truncate
	}
	attributes := pathAttributes{allowed: rights, parent: int32(fd)}
	_, _, number := syscall.RawSyscall6(sysAddRule, uintptr(ruleset), rulePath, uintptr(unsafe.Pointer(&attributes)), 0, 0, 0)
	if number != 0 {
		return number
	}
	return nil
}
