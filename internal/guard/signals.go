package guard

import (
	"os"
	"time"
)

// SameSignal is how close together two signals count as one: timeout(1) sends two.
const SameSignal = 500 * time.Millisecond

// lateReport is how far apart the two reports of one signal may be: from the kernel, and from
// the guard, which got it from the same key. A few milliseconds are enough except on a starved
// machine, where half a second was too short.
const lateReport = 10 * time.Second

// signalReports tells one signal that is reported twice from two signals. Each report cancels one of
// the other kind.
type signalReports struct {
	last      map[os.Signal]time.Time // when it last came, either way
	came      map[os.Signal]time.Time // when it came from the kernel, and not yet from the guard
	forwarded map[os.Signal]time.Time // when it came from the guard, and not yet from the kernel
}

// NewReports returns reports of no signal.
func NewReports() signalReports {
	return signalReports{map[os.Signal]time.Time{}, map[os.Signal]time.Time{}, map[os.Signal]time.Time{}}
}

// Direct notes a signal from the kernel and reports whether it is a new one.
func (r signalReports) Direct(s os.Signal, now time.Time) bool {
	r.last[s] = now
	if isSecond(r.forwarded, s, now) {
		return false
	}
	r.came[s] = now
	return true
}

// Forwarded notes a signal from the guard and reports whether it is a new one.
func (r signalReports) Forwarded(s os.Signal, now time.Time) bool {
	at, known := r.last[s]
	if isSecond(r.came, s, now) || known && now.Sub(at) <= SameSignal {
		return false
	}
	r.last[s], r.forwarded[s] = now, now
	return true
}

// isSecond reports whether a report is the second of a pair, and removes the first.
func isSecond(waiting map[os.Signal]time.Time, s os.Signal, now time.Time) bool {
	at, waits := waiting[s]
	delete(waiting, s)
	return waits && now.Sub(at) <= lateReport
}
