package lifecycle

import (
	"context"
	"fmt"
)

// trailKept is how many records of a tree stay in memory for its watchers: a few seconds of
// the busiest session measured (5,000 records a second). A watcher that is further behind
// reads from the journal.
const trailKept = 16384

// page is how many records a watcher takes from the journal at once.
const page = 2000

// trail is the newest part of a log, all of it saved.
type trail struct {
	first   Seq // of records[0]
	records []Record
}

func (l *trail) add(records []Record) {
	l.records = append(l.records, records...)
	if over := len(l.records) - trailKept; over > trailKept/2 {
		// A new array: what was handed to a watcher is never written to again.
		l.records = append(make([]Record, 0, trailKept*2), l.records[over:]...)
		l.first += Seq(over)
	}
}

// after returns the records after seq; ok is false if some of them are no longer in memory.
func (l *trail) after(seq Seq) (records []Record, ok bool) {
	if seq+1 < l.first {
		return nil, false
	}
	from := min(int(seq+1-l.first), len(l.records))
	return l.records[from:len(l.records):len(l.records)], true
}

// stamped is a value of which only the newest counts.
type stamped[T any] struct {
	stamp int64
	value T
}

// watcher is somebody's cursor: what it has seen, and a bell.
type watcher struct {
	bell  chan struct{} // holds one ring
	more  chan struct{} // holds a value when there are records after seq
	seq   Seq
	stamp int64
}

func (t *tree) wakeWatchers() {
	for w := range t.watchers {
		signal(w.bell)
	}
}

// tellOfRecords says to the watchers that there are more records.
func (t *tree) tellOfRecords() {
	for w := range t.watchers {
		signal(w.more)
	}
}

// signal leaves a value in a channel that holds one, unless one is there.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Watch calls fn with everything that happens in a root session after record
// from, until ctx ends: first what the caller missed, then what is live, with no
// gap and no repeat. It calls fn from this goroutine, once per wake-up, with all
// the records since the last call and the newest progress of each run; a slow fn
// slows nobody. It returns ctx's cause, or the journal's error.
func (s *Supervisor) Watch(ctx context.Context, root SessionID, from Seq, fn func(Updates)) error {
	s.mu.Lock()
	t, err := s.tree(root)
	if err != nil {
		s.mu.Unlock()
		return err
	}
	w := &watcher{bell: make(chan struct{}, 1), more: make(chan struct{}, 1), seq: from}
	w.bell <- struct{}{}
	t.watchers[w] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(t.watchers, w)
		s.mu.Unlock()
	}()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.bell:
		}
		behind, err := s.catchUp(ctx, t, w, fn)
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
		if u, any := s.news(t, w); any || behind { // the last Updates must say that nothing is missing
			fn(u)
		}
	}
}

// catchUp gives a watcher the records that are no longer in memory, and reports whether there
// were some.
func (s *Supervisor) catchUp(ctx context.Context, t *tree, w *watcher, fn func(Updates)) (behind bool, err error) {
	for {
		s.mu.Lock()
		_, inMemory := t.trail.after(w.seq)
		s.mu.Unlock()
		if inMemory {
			return behind, nil
		}
		records, err := s.options.Journal.Records(ctx, t.root, w.seq, page)
		if err != nil {
			return behind, fmt.Errorf("read the log of session %s after record %d: %w", t.root, w.seq, err)
		}
		if len(records) == 0 {
			return behind, fmt.Errorf("the log of session %s ends at record %d, before its newest", t.root, w.seq)
		}
		w.seq = records[len(records)-1].Seq
		behind = true
		fn(Updates{Records: records, Waking: true})
	}
}

// news collects what a watcher has not been given.
func (s *Supervisor) news(t *tree, w *watcher) (u Updates, any bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.Records, _ = t.trail.after(w.seq)
	u.More = w.more
	select {
	case <-w.more: // these are they
	default:
	}
	u.Fault, u.Waking, u.AllStopped = t.fault, t.waking, t.held
	w.seq += Seq(len(u.Records))
	any = len(u.Records) > 0
	if t.stamp == w.stamp {
		return u, any
	}
	for _, p := range t.progress {
		if p.stamp > w.stamp {
			u.Progress = append(u.Progress, p.value)
		}
	}
	for _, r := range t.unsaved {
		if r.stamp > w.stamp {
			u.Unsaved = append(u.Unsaved, r.value)
		}
	}
	w.stamp = t.stamp
	return u, true
}
