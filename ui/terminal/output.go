package terminal

import (
	"errors"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
)

// ErrGone reports that there is no terminal any more: its window was closed, its line dropped.
var ErrGone = errors.New("the terminal is gone")

const (
	// settling is how long a terminal may take for what is left when the screen lets go of it.
	settling = time.Second
	// stalled is how long a terminal may take for a piece before it counts as one that takes
	// nothing.
	stalled = time.Second
	// piece is how many bytes are written at once: a frame or two. What is given up in the end
	// is cut between two pieces, so no more than one comes late.
	piece = 16 << 10
	// kept is the most memory in bytes that is kept for the next text: a whole frame of a large
	// screen in full colour has some 100 KiB.
	kept = 256 << 10
)

// Output is a terminal that never makes its writer wait: a goroutine of its own writes to the
// file.
//
//	Bubble Tea ─► Write ─► what waits ─► the goroutine ─► the file, which may take its time
//	Pace ◄── Idle: the next frame is drawn when nothing waits
//
// A terminal that is slow, stopped or behind a dead line so gets fewer frames, and no more than
// one of them waits for it. Nothing is dropped, so what it shows and its modes are right as soon as
// it has taken what waits.
//
// While the screen lets go of the terminal (Settle), Write waits for the file, but a second at most
// in all: the settings change next, or somebody else writes.
//
// A nil Output is that of a program without a terminal. All methods may be called from any
// goroutine.
type Output struct {
	file term.File
	work chan struct{} // holds one ring; closed at the end
	gone chan struct{} // closed when the terminal is

	mu       sync.Mutex
	waiting  []byte
	spare    []byte        // its memory is used again
	idle     chan struct{} // closed while nothing waits and nothing is being written
	began    time.Time     // of the piece that is being written; zero: none is
	settles  bool
	deadline time.Time // of what is written while it settles
	closed   bool      // nothing is written any more
	given    bool      // it belongs to somebody else
	lost     bool      // gone is closed
	untidy   bool      // its modes may not be as they were
	tell     func()    // called for that by Close; nil: nobody is told
}

// NewOutput begins to write to a terminal. Close it.
func NewOutput(file term.File) *Output {
	o := &Output{file: file, work: make(chan struct{}, 1), gone: make(chan struct{}), idle: make(chan struct{})}
	close(o.idle)
	go o.run()
	return o
}

// Write takes everything. Once the terminal is gone, closed or given up it goes nowhere.
func (o *Output) Write(text []byte) (int, error) {
	o.mu.Lock()
	if len(text) == 0 || o.closed || o.given || o.lost {
		o.mu.Unlock()
		return len(text), nil
	}
	if o.isIdle() {
		o.idle = make(chan struct{})
	}
	o.waiting = append(o.waiting, text...)
	ring(o.work)
	settles := o.settles
	o.mu.Unlock()
	if settles {
		o.wait()
	}
	return len(text), nil
}

// rest is when nothing waits any more. The lock is held.
func (o *Output) rest() {
	o.waiting = nil
	if !o.isIdle() {
		close(o.idle)
	}
}

// isIdle reports whether nothing waits. The lock is held.
func (o *Output) isIdle() bool {
	select {
	case <-o.idle:
		return true
	default:
		return false
	}
}

// run writes what waits, until Close.
func (o *Output) run() {
	for range o.work {
		for text, more := o.take(nil); more; text, more = o.take(text) {
			if !o.put(text) {
				return
			}
		}
	}
}

// take gives what waits and takes the memory of what was written; when nothing waits the output is
// idle.
func (o *Output) take(written []byte) (text []byte, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if cap(written) <= kept {
		o.spare = written[:0]
	}
	if len(o.waiting) == 0 {
		o.rest()
		return nil, false
	}
	text, o.waiting, o.spare = o.waiting, o.spare, nil
	return text, true
}

// put writes a text in pieces. It reports false when nothing more is to be written.
func (o *Output) put(text []byte) bool {
	for len(text) > 0 {
		if !o.begin() {
			return false
		}
		n, err := o.file.Write(text[:min(len(text), piece)])
		o.end()
		if err != nil {
			o.Lose()
			return false
		}
		text = text[n:]
	}
	return true
}

func (o *Output) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.given {
		return false
	}
	o.began = time.Now()
	return true
}

func (o *Output) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.began = time.Time{}
}

// Idle returns a channel that is closed when all that was written before is on its way.
func (o *Output) Idle() <-chan struct{} {
	if o == nil {
		return idle
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.idle
}

// idle is where nothing ever waits.
var idle = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Stalled reports whether the terminal takes nothing: what is only for somebody who looks at it now
// need not wait for it.
func (o *Output) Stalled() bool {
	if o == nil {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.began.IsZero() && time.Since(o.began) > stalled
}

// Settle makes Write wait, as the screen lets go of the terminal.
func (o *Output) Settle() { o.settle(true) }

func (o *Output) settle(on bool) {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if on && !o.settles {
		o.deadline = time.Now().Add(settling)
	}
	o.settles = on
}

// wait waits until nothing is left to write, up to the deadline.
func (o *Output) wait() {
	o.mu.Lock()
	idle, rest := o.idle, time.Until(o.deadline)
	o.mu.Unlock()
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-idle:
	case <-o.gone:
	case <-timer.C:
	}
}

// Close waits for the rest, up to the deadline of Settle, and gives up what is left. Whoever lent the
// terminal is told then that it may not have its modes back. A goroutine stays where the terminal still
// holds a piece, until it takes that or is gone.
func (o *Output) Close() error {
	if o == nil {
		return nil
	}
	o.Settle()
	o.wait()
	if o.close() && o.tell != nil {
		o.tell()
	}
	return nil
}

// close ends the writing, and reports whether the terminal's modes may not be as they were.
func (o *Output) close() (untidy bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return false
	}
	untidy = (o.untidy || !o.isIdle()) && !o.given && !o.lost
	o.closed = true
	o.rest()
	close(o.work)
	return untidy
}

// forced notes that the screen was ended by force: it has not let go of the terminal as it should.
func (o *Output) forced() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.untidy = true
}

// Read reads from the terminal.
func (o *Output) Read(to []byte) (int, error) { return o.file.Read(to) }

// Lose notes that the terminal is gone: reading or writing has failed.
func (o *Output) Lose() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.lost {
		o.lost = true
		o.rest()
		close(o.gone)
	}
}

// Gone returns a channel that is closed when the terminal is gone.
func (o *Output) Gone() <-chan struct{} {
	if o == nil {
		return nil
	}
	return o.gone
}

// IsGone reports whether the terminal is gone.
func (o *Output) IsGone() bool {
	select {
	case <-o.Gone():
		return true
	default:
		return false
	}
}

// GiveUp leaves the terminal to whoever has it now. From here on neither its settings nor what it
// shows are changed.
func (o *Output) GiveUp() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.given = true
	o.rest()
}

// valid is a descriptor, or an invalid one once the terminal was given up: Bubble Tea asks for it
// right before each use.
func (o *Output) valid(fd uintptr) uintptr {
	if o == nil {
		return fd
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.given {
		return ^uintptr(0)
	}
	return fd
}

// Fd returns the terminal's descriptor, or an invalid one once it was given up.
func (o *Output) Fd() uintptr { return o.valid(o.file.Fd()) }
