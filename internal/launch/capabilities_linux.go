package launch

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// keptCapabilities are the capabilities(7) that a confined command keeps if it had them: what builds,
// package managers and tests need of root. It is the usual set of containers without two:
//
//   - NET_RAW reads and forges traffic of other programs on this machine. Ping is lost.
//   - MKNOD creates devices, which give root access to the disk.
//
// Three are more than a build needs and stay for package managers. SYS_CHROOT: they run their
// scripts in a chroot, and no part of a confinement depends on the root folder. SETFCAP: they
// install files with capabilities, which a setuid file could grant as well. AUDIT_WRITE: su and
// runuser fail without it where PAM writes to the audit log.
//
// All others are dropped, including those added to the kernel later: SYS_ADMIN and SYS_PTRACE
// undo a confinement from inside, SYS_TIME, SYS_BOOT, SYS_MODULE, NET_ADMIN and the like change
// the machine for everybody, and DAC_READ_SEARCH opens files without their path. A debugger
// needs no capability for programs that it started itself.
var keptCapabilities = [2]uint32{1<<0 | // CHOWN
	1<<1 | // DAC_OVERRIDE
	1<<3 | // FOWNER
	1<<4 | // FSETID
	1<<5 | // KILL
	1<<6 | // SETGID
	1<<7 | // SETUID
	1<<8 | // SETPCAP
	1<<10 | // NET_BIND_SERVICE
	1<<18 | // SYS_CHROOT
	1<<29 | // AUDIT_WRITE
	1<<31} // SETFCAP

const (
	prReadBounds       = 23
	prDropFromBounds   = 24
	capabilityVersion3 = 0x20080522
)

// capabilitySet is the data of capget(2) and capset(2), in two halves.
type capabilitySet [2]struct{ effective, permitted, inheritable uint32 }

func (r *capabilitySet) call(number uintptr) error {
	header := struct{ version, pid uint32 }{version: capabilityVersion3}
	if _, _, err := syscall.RawSyscall(number, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(r)), 0); err != 0 {
		return err
	}
	return nil
}

// dropCapabilities drops, for this thread and what it executes, all capabilities that are not kept.
// The kernel then drops them from the ambient set too.
func dropCapabilities() error {
	dropBoundingSet()
	var now capabilitySet
	if err := now.call(syscall.SYS_CAPGET); err != nil {
		return err
	}
	for i := range now {
		now[i].effective &= keptCapabilities[i]
		now[i].permitted &= keptCapabilities[i]
		now[i].inheritable &= keptCapabilities[i]
	}
	return now.call(syscall.SYS_CAPSET)
}

// dropBoundingSet drops the same from the bounding set, as far as this thread may. Where it may not,
// no_new_privs keeps an executed file from adding capabilities.
func dropBoundingSet() {
	for right := uintptr(0); ; right++ {
		held, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, prReadBounds, right, 0)
		if err != 0 { // past the kernel's last capability
			return
		}
		if held == 1 && keptCapabilities[right/32]&(1<<(right%32)) == 0 {
			_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, prDropFromBounds, right, 0, 0, 0, 0)
		}
	}
}

// dropMountCapabilities drops the capabilities that the mounts in a user namespace needed, so that the
// command does not inherit them. Root keeps its own.
func dropMountCapabilities() error {
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0, 0); err != 0 {
		return err
	}
	if os.Getuid() == 0 {
		return nil
	}
	var none capabilitySet
	return none.call(syscall.SYS_CAPSET)
}
