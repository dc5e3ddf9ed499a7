package main

import (
	"math"
	"runtime/debug"

	"pawl/export"
)

// streamMemory is how much memory, in bytes, Go may use for a command that only
// streams, before it collects more often than it would. A million records hold some
// 8 MB at a time, the rest is garbage. For a quarter more processor time the process
// stays below 64 MB, of which 38 are the program itself.
const streamMemory = 20 << 20

// spareMemory keeps a command that writes an export small. A page of HTML holds the
// marks of its picture and would be collected in vain; a limit of the user's stands.
func spareMemory(format export.Format) {
	if format != export.FormatHTML && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(streamMemory)
	}
}
