package otel

import (
	"sync"
	"time"
)

// queue holds the spans that are to be sent. One goroutine takes from it.
type queue struct {
	batching
	bell    chan struct{} // holds one ring
	closing chan struct{}

	mu      sync.Mutex
	waiting []span
	lost    int // that did not fit
}

func newQueue(b batching) *queue {
	return &queue{batching: b, bell: make(chan struct{}, 1), closing: make(chan struct{})}
}

// add puts a span in, or loses it: it never waits.
func (q *queue) add(s span) {
	q.mu.Lock()
	if len(q.waiting) < q.most {
		q.waiting = append(q.waiting, s)
	} else {
		q.lost++
	}
	q.mu.Unlock()
	select {
	case q.bell <- struct{}{}:
	default: // it rings already
	}
}

// take gives the next batch; none of an empty queue.
func (q *queue) take() []span {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), q.batch)
	batch := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	if len(q.waiting) == 0 {
		q.waiting = nil
	}
	return batch
}

func (q *queue) size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

func (q *queue) left() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lost
}

// due waits until spans are to be sent: enough of them, or one that has waited long enough.
// It keeps no clock while the queue is empty. closing says that no more will come.
func (q *queue) due() (closing bool) {
	var late <-chan time.Time
	for {
		n := q.size()
		if n >= q.batch {
			return false
		}
		if n > 0 && late == nil {
			timer := time.NewTimer(q.delay)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case <-q.bell:
		case <-late:
			return false
		case <-q.closing:
			return true
		}
	}
}
