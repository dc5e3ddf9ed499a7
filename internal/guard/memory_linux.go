package guard

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseProgram releases the pages of the program's file that were mapped at the start of this
// process: Go's runtime then reads all types and functions, some 12 MB, of which the guard needs
// few again. Nothing is lost: pages never written to are read again from the file.
func releaseProgram() {
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return // then they stay
	}
	for _, r := range unwritten(string(maps)) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, r.from, r.size, syscall.MADV_DONTNEED)
	}
}

// mapping is a range of this process's memory, in bytes.
type mapping struct{ from, size uintptr }

// unwritten reads smaps and returns the mappings that hold nothing but a file's bytes: not
// writable, and never written to. A dynamic linker writes to some before it makes them
// read-only; the kernel counts such pages as anonymous or as swap.
func unwritten(smaps string) (all []mapping) {
	candidate := false
	for line := range strings.Lines(smaps) {
		fields := strings.Fields(line)
		switch {
		case len(fields) >= 5 && !strings.HasSuffix(fields[0], ":"):
			var m mapping
			if m, candidate = fileOf(fields); candidate {
				all = append(all, m)
			}
		case candidate && len(fields) == 3 && (fields[0] == "Anonymous:" || fields[0] == "Swap:") && fields[1] != "0":
			all, candidate = all[:len(all)-1], false
		}
	}
	return all
}

// fileOf reads the first line of a mapping: its range, permissions, offset, device and inode.
// readOnly is false also if it is not a file's.
func fileOf(fields []string) (m mapping, readOnly bool) {
	if fields[4] == "0" || fields[1] != "r-xp" && fields[1] != "r--p" {
		return m, false
	}
	begin, end, _ := strings.Cut(fields[0], "-")
	from, errFrom := strconv.ParseUint(begin, 16, 64)
	to, errTo := strconv.ParseUint(end, 16, 64)
	return mapping{uintptr(from), uintptr(to - from)}, errFrom == nil && errTo == nil && from < to
}
