package replay

import "time"

// Silence is the longest wait for the next record, in passing time: long enough to read, too
// short to wonder whether the replay has stopped.
const Silence = 5 * time.Second

// tape is the position in recorded time. It is a value without a clock: the passing time is
// given to it.
type tape struct {
	speed  float64 // recorded time per time that passes
	paused bool
	whole  bool // silences are not cut short

	at      time.Time     // the recorded time at the start of this stretch
	begun   time.Time     // the passing time at its start
	waited  time.Duration // time already waited for the next record, at other speeds
	next    time.Time     // time of the next record; zero: there is none
	silence time.Duration // recorded time between the last record and the next
}

// takes is how long this stretch lasts if it is not interrupted.
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

// cut reports whether the silence before the next record is cut short.
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

// due is how long it is until the next record; 0 if it is overdue.
func (t tape) due(now time.Time) time.Duration { return max(0, t.takes()-now.Sub(t.begun)) }

// turned is the tape from a moment on, with another speed or paused.
func (t tape) turned(now time.Time, change func(*tape)) tape {
	at := t.reached(now)
	if !t.paused {
		t.waited += now.Sub(t.begun)
	}
	t.at, t.begun = at, now
	change(&t)
	return t
}

// passed is the tape after a record was shown; next is the time of the one after it, zero for
// none.
func (t tape) passed(written, next, now time.Time) tape {
	t.at, t.next, t.begun, t.waited = later(t.at, written), next, now, 0
	t.silence = 0
	if !next.IsZero() {
		t.silence = max(0, next.Sub(t.at))
	}
	return t
}

// later returns the later time: recorded time does not go back, even if a clock was set back.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
