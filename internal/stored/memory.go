package stored

import (
	"math"
	"os"
	"runtime/debug"

	"pawl/export/formats"
)

// streamMemory is how much memory, in bytes, Go may use in a command that only streams, before
// it collects more often. A million records hold some 8 MB at a time, the rest is garbage. For a
// quarter more processor time the process stays below 64 MB: at 41 MB with a million records as
// JSON, the program itself included.
const streamMemory = 20 << 20

// pageGrowth is GOGC for a page of HTML. It holds the marks of its picture, as many as there are
// runs: with a fixed limit the collector would work in vain.
const pageGrowth = 20

// SpareMemory keeps the memory of a command that writes an export small, unless the user has set
// GOMEMLIMIT or GOGC.
func SpareMemory(format formats.Format) {
	if format != formats.HTML {
		if debug.SetMemoryLimit(-1) == math.MaxInt64 {
			debug.SetMemoryLimit(streamMemory)
		}
		return
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(pageGrowth)
	}
}
