package guard

import (
	"os"
	"runtime/debug"
	"time"
)

// Starting allocates a few megabytes that are soon garbage. Go would collect first at 4 MB, and
// twice before the first frame; startGarbage, in per cent as GOGC has it, delays that until 16
// MB. One settled after the start everything is collected once and returned to the system.
const (
	startGarbage = 400
	usualGarbage = 100
	startTime    = time.Second
)

// StartLightly lets a session start without garbage collection, unless GOGC is set.
func StartLightly() {
	if Own() == RolePlain || os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(startGarbage)
	time.AfterFunc(startTime, func() {
		debug.SetGCPercent(usualGarbage)
		debug.FreeOSMemory()
	})
}

// ReleaseSoon releases the program's pages when a start has settled: what follows needs few of them,
// and until then the processor has better to do.
func ReleaseSoon() { time.AfterFunc(startTime, releaseProgram) }
