package headless

import (
	"errors"
	"time"

	"pawl/lifecycle"
)

// What the watch gives the feed to write beside the log.

func (f *feed) ring() {
	select {
	case f.bell <- struct{}{}:
	default: // it is awake, or will be
	}
}

// reply answers a line of input. It never waits.
func (f *feed) reply(line replyLine) {
	encoded := encodeLine(f.hide, line)
	f.mu.Lock()
	f.replies = append(f.replies, encoded)
	f.mu.Unlock()
	f.ring()
}

// rest says that behind this record nothing happens by itself. It never waits.
func (f *feed) rest(seq lifecycle.Seq) {
	f.mu.Lock()
	f.idle = seq
	f.mu.Unlock()
	f.ring()
}

// finish writes the result behind this record, and waits until it is written. A
// signal in that time bounds the waiting: the reader may have gone to sleep.
func (f *feed) finish(a answer, after lifecycle.Seq, signals <-chan int) error {
	return f.end(encodeLine(f.hide, resultLine{typeResult, a}), after, signals)
}

// end is finish without a result, where nothing was asked.
func (f *feed) end(last []byte, after lifecycle.Seq, signals <-chan int) error {
	f.mu.Lock()
	f.result, f.after, f.idle = append([]byte{}, last...), after, 0
	f.mu.Unlock()
	f.ring()
	select {
	case <-f.done:
		return f.err
	case <-signals:
	}
	select {
	case <-f.done:
		return f.err
	case <-time.After(stopPatience):
		return errUnread
	}
}

var errUnread = errors.New("write standard output: nobody reads it, so the last lines are missing")
