package launch

import (
	"runtime"
	"syscall"
	"unsafe"
)

// Seccomp(2) by its raw system call, with a filter written out here. The one library in pure Go
// (elastic/go-seccomp-bpf 1.6) gives system calls of another architecture the default action,
// which in a list of refusals lets 32-bit programs through.
const (
	setFilter       = 1 // SECCOMP_SET_MODE_FILTER
	actionAvailable = 2 // SECCOMP_GET_ACTION_AVAIL

	allow      = 0x7fff0000 // SECCOMP_RET_ALLOW
	refuseWith = 0x00050000 // SECCOMP_RET_ERRNO, with the number in its low half
	kill       = 0x80000000 // SECCOMP_RET_KILL_PROCESS

	// Offsets in struct seccomp_data. Of an argument only the low half is read: the kernel uses
	// no more of an int, and it comes first on the little-endian machines below.
	offsetNumber = 0
	offsetArch   = 4
	offsetArg0   = 16
	offsetArg2   = 32

	x32Base = 0x40000000

	netlinkRoute = 0 // the netlink protocol that tells this machine's addresses and routes
)

// syscallNumbers holds the system call numbers of an architecture that the filter needs. That of
// io_uring_setup is the same everywhere.
type syscallNumbers struct{ arch, seccomp, socket, addKey, requestKey, keyctl uint32 }

const ioURingSetup = 425

var syscallTable = map[string]syscallNumbers{
	"amd64":   {0xc000003e, 317, 41, 248, 249, 250},
	"arm64":   {0xc00000b7, 277, 198, 217, 218, 219},
	"riscv64": {0xc00000f3, 277, 198, 217, 218, 219},
	"loong64": {0xc0000102, 277, 198, 217, 218, 219},
}

// FilterPossible returns why sockets cannot be refused here, or nil if they can.
func FilterPossible() error {
	words, known := syscallTable[runtime.GOARCH]
	if !known {
		return syscall.ENOTSUP
	}
	action := uint32(kill)
	if _, _, err := syscall.RawSyscall(uintptr(words.seccomp), actionAvailable, 0, uintptr(unsafe.Pointer(&action))); err != 0 {
		return err
	}
	return nil
}

// filter closes every way out for this thread and what it forks: sockets of all families but
// those allowed, io_uring, which can create sockets too, and the kernel's keys, for which it
// runs programs outside that resolve names. Socket pairs still work. A system call of another
// architecture kills the program.
func (c *Confinement) filter() error {
	words, known := syscallTable[runtime.GOARCH]
	if !known {
		return syscall.ENOTSUP
	}
	families := []uint32{}
	if c.Loopback {
		families = append(families, syscall.AF_INET, syscall.AF_INET6)
	}
	program := words.program(families)
	told := syscall.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if _, _, err := syscall.RawSyscall(uintptr(words.seccomp), setFilter, 0, uintptr(unsafe.Pointer(&told))); err != 0 {
		return err
	}
	runtime.KeepAlive(program)
	return nil
}

// program is the filter in BPF. Jumps go forward only, over the given number of instructions.
func (d syscallNumbers) program(families []uint32) []syscall.SockFilter {
	const (
		load      = syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS
		ifEqual   = syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K
		ifAtLeast = syscall.BPF_JMP | syscall.BPF_JGE | syscall.BPF_K
		answer    = syscall.BPF_RET | syscall.BPF_K
	)
	all := []syscall.SockFilter{
		{Code: load, K: offsetArch},
		{Code: ifEqual, K: d.arch, Jt: 1},
		{Code: answer, K: kill},
		{Code: load, K: offsetNumber},
		{Code: ifAtLeast, K: x32Base, Jf: 1}, // no other architecture has numbers this high
		{Code: answer, K: kill},
	}
	for _, number := range []uint32{ioURingSetup, d.addKey, d.requestKey, d.keyctl} {
		all = append(all,
			syscall.SockFilter{Code: ifEqual, K: number, Jf: 1},
			syscall.SockFilter{Code: answer, K: refuseWith | uint32(syscall.ENOSYS)}) // callers cope without it
	}
	all = append(all,
		syscall.SockFilter{Code: ifEqual, K: d.socket, Jt: 1},
		syscall.SockFilter{Code: answer, K: allow},
		syscall.SockFilter{Code: load, K: offsetArg0})
	for _, family := range families {
		all = append(all,
			syscall.SockFilter{Code: ifEqual, K: family, Jf: 1},
			syscall.SockFilter{Code: answer, K: allow})
	}
	return append(all,
		syscall.SockFilter{Code: ifEqual, K: syscall.AF_NETLINK, Jf: 3},
		syscall.SockFilter{Code: load, K: offsetArg2},
		syscall.SockFilter{Code: ifEqual, K: netlinkRoute, Jf: 1},
		syscall.SockFilter{Code: answer, K: allow},
		syscall.SockFilter{Code: answer, K: refuseWith | uint32(syscall.EACCES)})
}
