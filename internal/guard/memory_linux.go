package guard

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseProgram gives back what of the program's file was mapped for the start of
// this process: Go looks at all its types and functions then, some 12 MB, and the
// guard needs a few pages of them again. Nothing is lost: what was never written to
// comes from the file when it is touched, as it did before.
func releaseProgram() {
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return // then it keeps them
	}
	for _, r := range unwritten(string(maps)) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, r.from, r.size, syscall.MADV_DONTNEED)
	}
}

// mapping is a range of this process's memory, in bytes.
type mapping struct{ from, size uintptr }

// unwritten reads smaps and gives what holds the bytes of a file and nothing else: it
// cannot be written to, and never was. A dynamic linker writes to some before it takes
// the right away; the kernel counts such pages as anonymous, or as swap.
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

// fileOf reads the head of a mapping: its range, rights, offset, device and inode.
func fileOf(fields []string) (m mapping, readOnly bool) {
	if fields[4] == "0" || fields[1] != "r-xp" && fields[1] != "r--p" {
		return m, false
	}
	begin, end, _ := strings.Cut(fields[0], "-")
	from, errFrom := strconv.ParseUint(begin, 16, 64)
	to, errTo := strconv.ParseUint(end, 16, 64)
	return mapping{uintptr(from), uintptr(to - from)}, errFrom == nil && errTo == nil && from < to
}
