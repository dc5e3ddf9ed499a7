package guard

import (
	"os"
	"runtime/debug"
	"time"
)

// A start makes a few megabytes that soon nobody needs. Go would begin to collect at
// 4 MB, twice before the first frame; with startGarbage, in per cent as GOGC has it,
// that waits until 16 MB. Then, settled after the start, everything is collected once
// and given back to the system.
const (
	startGarbage = 400
	usualGarbage = 100
	settled      = time.Second
)

// StartLightly lets a session start without collecting, unless its user has set GOGC.
func StartLightly() {
	if Own() == RolePlain || os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(startGarbage)
	time.AfterFunc(settled, func() {
		debug.SetGCPercent(usualGarbage)
		debug.FreeOSMemory()
	})
}
