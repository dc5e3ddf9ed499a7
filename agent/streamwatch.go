package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"pawl/lifecycle"
)

// The causes for which an attempt is aborted.
var (
	errSilent  = errors.New("the model's stream went silent")
	errSlept   = errors.New("the machine slept")
	errEndless = errors.New("the model writes without end")
)

const (
	// clockInterval is how often the clocks are compared.
	clockInterval = 5 * time.Second
	// sleepTolerance is how far the clocks may differ: more than a busy machine delays a
	// timer or a clock is adjusted, less than the time after which servers and routers
	// drop a connection.
	sleepTolerance = 30 * time.Second
	// maxAnswer bounds one answer, in bytes. The longest that models offer is 128,000
	// tokens, half a megabyte.
	maxAnswer = 4 << 20
)

// streamWatch aborts an attempt that cannot end well: a stream that is silent or endless,
// or whose connection the machine slept through. Such a connection may look alive for
// minutes. Sleep shows as a difference between a clock that stops in sleep and one that
// does not or, where both go on, as a timer that fires far too late.
type streamWatch struct {
	limit time.Duration // of silence
	wall  func() time.Time
	cut   context.CancelCauseFunc

	mu         sync.Mutex
	silence    *time.Timer
	clockTimer *time.Timer
	lastCheck  time.Time // when the clocks were last compared
	lastWall   time.Time // the wall clock's time then
	said       int       // bytes so far
	over       bool
}

func newStreamWatch(limit time.Duration, wall func() time.Time, cut context.CancelCauseFunc) *streamWatch {
	w := &streamWatch{limit: limit, wall: wall, cut: cut, lastCheck: time.Now(), lastWall: wall()}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silence = time.AfterFunc(limit, w.silent)
	w.clockTimer = time.AfterFunc(clockInterval, w.compare)
	return w
}

// heard notes that a piece came.
func (w *streamWatch) heard(piece Delta) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silence.Reset(w.limit)
	if w.said += len(piece.Text) + len(piece.Thinking); w.said > maxAnswer {
		w.cut(errEndless)
	}
}

func (w *streamWatch) silent() {
	if w.slept() {
		w.cut(errSlept)
	}
	w.cut(errSilent) // only the first cause counts
}

func (w *streamWatch) compare() {
	if w.slept() {
		w.cut(errSlept)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.clockTimer.Reset(clockInterval)
	}
}

// slept reports whether the machine slept since the last check.
func (w *streamWatch) slept() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, wall := time.Now(), w.wall()
	passed, onTheWall := now.Sub(w.lastCheck), wall.Sub(w.lastWall)
	w.lastCheck, w.lastWall = now, wall
	return onTheWall-passed > sleepTolerance || passed > clockInterval+sleepTolerance
}

func (w *streamWatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.silence.Stop()
	w.clockTimer.Stop()
}

// errorFor is the error of an attempt that was aborted for this cause; nil for other causes.
func (w *streamWatch) errorFor(cause error) *ProviderError {
	e := &ProviderError{Kind: lifecycle.FailProvider, Temporary: true, Err: cause}
	switch {
	case errors.Is(cause, errSilent):
		e.Message = fmt.Sprintf("the model's stream was silent for %s", w.limit)
	case errors.Is(cause, errSlept):
		e.Message = "the machine slept while the model answered"
	case errors.Is(cause, errEndless):
		e.Message, e.Temporary = fmt.Sprintf("the model wrote more than %d MB in one answer, without end", maxAnswer>>20), false
	default:
		return nil
	}
	return e
}

// wallClock reads the clock that goes on while the machine sleeps.
func wallClock() time.Time { return time.Now().Round(0) }
