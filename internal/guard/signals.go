package guard

import (
	"os"
	"time"
)

// SameSignal is how close together signals are taken for one: timeout(1) sends two.
const SameSignal = 500 * time.Millisecond

// lateReport is how far apart the two reports of one signal may be: the kernel's
// own, and the guard's, who got it from the same key. Nothing but a starved machine
// needs more than a few milliseconds; on one, half a second was not enough.
const lateReport = 10 * time.Second

// reports tells one signal that comes twice from two. Of a pair each report answers
// for one of the other kind.
type reports struct {
	last      map[os.Signal]time.Time // when it last came, in whatever way
	came      map[os.Signal]time.Time // when it came directly, and not yet from the guard
	forwarded map[os.Signal]time.Time // when it came from the guard, and not yet directly
}

// NewReports has heard of no signal yet.
func NewReports() reports {
	return reports{map[os.Signal]time.Time{}, map[os.Signal]time.Time{}, map[os.Signal]time.Time{}}
}

// Direct says whether a signal from the kernel is news.
func (r reports) Direct(s os.Signal, now time.Time) bool {
	r.last[s] = now
	if answers(r.forwarded, s, now) {
		return false
	}
	r.came[s] = now
	return true
}

// Forwarded says whether a signal from the guard is news.
func (r reports) Forwarded(s os.Signal, now time.Time) bool {
	at, known := r.last[s]
	if answers(r.came, s, now) || known && now.Sub(at) <= SameSignal {
		return false
	}
	r.last[s], r.forwarded[s] = now, now
	return true
}

// answers says whether a report is the second of a pair, whose first waits no longer.
func answers(waiting map[os.Signal]time.Time, s os.Signal, now time.Time) bool {
	at, waits := waiting[s]
	delete(waiting, s)
	return waits && now.Sub(at) <= lateReport
}
