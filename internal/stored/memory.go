package stored

import (
	"math"
	"os"
	"runtime/debug"

	"pawl/export/formats"
)

// streamMemory is how much memory, in bytes, Go may use in a command that only streams, before
// it collects more often. A million records hold some 8 MB at a time, the rest is garbage. The
// process stays below 64 MB, the program itself included.
const streamMemory = 28 << 20

// streamGrowth is GOGC for it: the limit above comes first. At the usual 100 it would never be
// reached, and a fifth of the processor time went into collecting.
const streamGrowth = 400

// pageGrowth is GOGC for a page of HTML. It holds the marks of its picture, as many as there are
// runs: with a fixed limit the collector would work in vain.
const pageGrowth = 20

// SpareMemory keeps the memory of a command that writes an export small, unless the user has set
// GOMEMLIMIT or GOGC.
func SpareMemory(format formats.Format) {
	switch {
	case os.Getenv("GOGC") != "" || debug.SetMemoryLimit(-1) != math.MaxInt64:
	case format == formats.HTML:
		debug.SetGCPercent(pageGrowth)
	default:
		debug.SetMemoryLimit(streamMemory)
		debug.SetGCPercent(streamGrowth)
	}
}
