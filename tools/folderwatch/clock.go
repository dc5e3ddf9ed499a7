package folderwatch

import "time"

// tick is longer than any step of a kernel's clock for files.
const tick = int64(20 * time.Millisecond)

func fineNow() int64 { return time.Now().UnixNano() }

// mark is the moment at which a command began.
type mark struct {
	files int64 // by the clock for files
	both  time.Time
}

func newMark() mark { return mark{files: fileNow(), both: time.Now()} }

// now is the mark by today's clock, which may have been set back since.
func (m mark) now() int64 {
	today := time.Now()
	back := today.Round(0).Sub(m.both.Round(0)) - today.Sub(m.both) // of the wall clock against the monotonic one
	return m.files + min(0, int64(back))
}

// latest is the latest moment that a file's time may stand for: some file systems tell whole
// seconds only.
func latest(changed int64) int64 {
	if changed%int64(time.Second) == 0 {
		return changed + int64(time.Second) - 1
	}
	return changed
}

// since is how long ago a mark was set.
func (m mark) since() time.Duration { return time.Since(m.both) }
