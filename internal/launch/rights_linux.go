package launch

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// kept are the rights of capabilities(7) that a confined command may still have, where
// it had them: what a build, a package manager and a test need of root. It is what
// containers leave by custom, without two of it:
//
//   - NET_RAW reads and forges what other programs of this machine send. It costs ping.
//   - MKNOD makes devices, which to root are the disk.
//
// Three of it are more than a build needs, and stay for package managers. SYS_CHROOT:
// they run their scripts in it, and no confinement hangs on the root folder. SETFCAP:
// they install files with rights, which a setuid file could have as well. AUDIT_WRITE:
// su and runuser fail without it where PAM writes to the audit log.
//
// All others are gone, those too that are not named yet: SYS_ADMIN and SYS_PTRACE undo
// a confinement from inside, SYS_TIME, SYS_BOOT, SYS_MODULE, NET_ADMIN and their like
// change the machine for everybody, and DAC_READ_SEARCH opens files past their path. A
// debugger needs no right for what it has started itself.
var kept = [2]uint32{1<<0 | // CHOWN
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

// rightSet is what capget(2) and capset(2) pass: the rights in two halves.
type rightSet [2]struct{ effective, permitted, inheritable uint32 }

func (r *rightSet) call(number uintptr) error {
	header := struct{ version, pid uint32 }{version: capabilityVersion3}
	if _, _, err := syscall.RawSyscall(number, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(r)), 0); err != 0 {
		return err
	}
	return nil
}

// limitRights takes from this thread, and from what it will execute, all rights but
// those that are kept; from the ambient ones too, which the kernel bounds by these.
func limitRights() error {
	limitBounds()
	var now rightSet
	if err := now.call(syscall.SYS_CAPGET); err != nil {
		return err
	}
	for i := range now {
		now[i].effective &= kept[i]
		now[i].permitted &= kept[i]
		now[i].inheritable &= kept[i]
	}
	return now.call(syscall.SYS_CAPSET)
}

// limitBounds does so for what an executed file could bring, as far as this thread may.
// Where it may not, no_new_privs keeps that from it.
func limitBounds() {
	for right := uintptr(0); ; right++ {
		held, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, prReadBounds, right, 0)
		if err != 0 { // the kernel knows no more
			return
		}
		if held == 1 && kept[right/32]&(1<<(right%32)) == 0 {
			_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, prDropFromBounds, right, 0, 0, 0, 0)
		}
	}
}

// giveBack takes from this thread what Pawl lent for the mounts in a user namespace, so
// that the command does not inherit it. Root has what root has.
func giveBack() error {
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0, 0); err != 0 {
		return err
	}
	if os.Getuid() == 0 {
		return nil
	}
	var none rightSet
	return none.call(syscall.SYS_CAPSET)
}
