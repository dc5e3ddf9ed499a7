package stored

import (
	"math"
	"os"
	"runtime/debug"

	"pawl/export/formats"
)

// streamMemory is how much memory, in bytes, Go may use for a command that only
// streams, before it collects more often than it would. A million records hold some
// 8 MB at a time, the rest is garbage. For a quarter more processor time the process
// stays below 64 MB: at 41 with a million records as JSON, the program itself included.
const streamMemory = 20 << 20

// pageGrowth is how much of what is in use may be garbage, in percent, before it is
// collected. A page of HTML holds the marks of its picture, as many as there are runs: a
// fixed limit would be collected for in vain.
const pageGrowth = 20

// SpareMemory keeps a command that writes an export small. What the user has set stands.
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
