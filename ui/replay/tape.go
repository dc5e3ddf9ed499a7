package replay

import "time"

// Silence is how long a replay lets somebody wait for the next record, in time that
// passes: long enough to read on, too short to wonder whether it has stopped.
const Silence = 5 * time.Second

// tape is where a replay stands in recorded time. It is a value without a clock: the
// time that passes is handed to it.
type tape struct {
	speed  float64 // recorded time over time that passes
	paused bool
	whole  bool // silences are as long as they were

	at      time.Time     // the recorded time that was reached when this stretch began
	begun   time.Time     // when that was
	waited  time.Duration // for the next record before this stretch, at another speed
	next    time.Time     // when the next record was written; zero: there is none
	silence time.Duration // between the last record and the next
}

// takes is how long this stretch lasts, were it not interrupted.
func (t tape) takes() time.Duration {
	rest := t.next.Sub(t.at)
	if rest <= 0 {
		return 0
	}
	plain := time.Duration(float64(rest) / t.speed)
	if t.whole {
		return plain
	}
	return min(plain, max(0, Silence-t.waited))
}

// cut reports whether the silence up to the next record is played faster than the rest.
func (t tape) cut() bool {
	return !t.next.IsZero() && !t.whole && time.Duration(float64(t.silence)/t.speed) > Silence
}

// reached is the recorded time at a moment.
func (t tape) reached(now time.Time) time.Time {
	if t.paused || t.next.IsZero() {
		return t.at
	}
	passed, takes := now.Sub(t.begun), t.takes()
	if passed >= takes {
		return later(t.at, t.next)
	}
	return t.at.Add(time.Duration(float64(t.next.Sub(t.at)) * float64(passed) / float64(takes)))
}

// due is how long it is until the next record; nothing where it is overdue.
func (t tape) due(now time.Time) time.Duration { return max(0, t.takes()-now.Sub(t.begun)) }

// turned is the tape from a moment on, with another speed or held.
func (t tape) turned(now time.Time, change func(*tape)) tape {
	at := t.reached(now)
	if !t.paused {
		t.waited += now.Sub(t.begun)
	}
	t.at, t.begun = at, now
	change(&t)
	return t
}

// passed is the tape after a record was shown, for the sake of time or without it; next
// is the time of the one behind it, zero for none.
func (t tape) passed(written, next, now time.Time) tape {
	t.at, t.next, t.begun, t.waited = later(t.at, written), next, now, 0
	t.silence = 0
	if !next.IsZero() {
		t.silence = max(0, next.Sub(t.at))
	}
	return t
}

// later is the later one: recorded time does not go back, also where somebody had put
// the clock back.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
