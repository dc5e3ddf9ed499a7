package ui

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pawl/lifecycle"
)

// laneMark is something that a lane of the timeline shows: a stretch of time, or a
// moment.
type laneMark struct {
	kind     lifecycle.SpanKind
	seq      lifecycle.Seq   // of the record that began it: its name
	from, to time.Time       // of a moment both are the same
	under    bool            // it is under way: to is now
	faulty   bool            // a tool that ended with an error
	state    lifecycle.State // of an end
	cause    lifecycle.Cause
	label    string // what it is, raw and bounded
	step     int
	of       lifecycle.RunID // the run that it was told of
	more     int             // marks that were joined to it
	took     time.Duration   // of all of them together
}

// How many marks all lanes have together, and how many one has at least and at most:
// beyond that, marks of one kind that stand close are joined. A screen has some 200
// columns to show them in; a zoom shows the others.
const (
	allMarks  = 24_000
	fewMarks  = 64
	manyMarks = 400
)

// strip holds the marks of one lane, at most about as many as it is told.
type strip struct {
	marks  []laneMark
	sorted bool
	grain  time.Duration // marks of one kind that began no farther apart were joined
}

// add keeps a mark, and makes room where there is none left.
func (s *strip) add(m laneMark, limit int) {
	n := len(s.marks)
	s.sorted = n == 0 || s.sorted && inTime(s.marks[n-1], m) <= 0
	s.marks = append(s.marks, m)
	if len(s.marks) <= limit {
		return
	}
	s.join() // those that have come since
	for len(s.marks) > limit*3/4 && s.grain < math.MaxInt64 {
		s.grain = max(time.Millisecond, s.grain+min(s.grain, math.MaxInt64-s.grain))
		s.join()
	}
}

// inOrder gives the marks as they began. The caller changes none of them.
func (s *strip) inOrder() []laneMark {
	if !s.sorted {
		slices.SortFunc(s.marks, inTime)
		s.sorted = true
	}
	return s.marks
}

func inTime(a, b laneMark) int {
	return cmp.Or(a.from.Compare(b.from), cmp.Compare(a.seq, b.seq))
}

// join makes one mark of those of one kind that began within a grain of each other. So
// there are no more of a kind than there are grains in the session, and what goes on
// evenly stays as even.
func (s *strip) join() {
	slices.SortFunc(s.marks, func(a, b laneMark) int { return cmp.Or(rankOf(&a)-rankOf(&b), inTime(a, b)) })
	last := 0
	for _, m := range s.marks[1:] {
		before := &s.marks[last]
		if rankOf(&m) != rankOf(before) || m.kind != before.kind || m.from.Sub(before.from) > s.grain {
			last++
			s.marks[last] = m
			continue
		}
		before.more += 1 + m.more
		before.took += m.took
		if m.to.After(before.to) {
			before.to = m.to
		}
	}
	clear(s.marks[last+1:]) // their texts are free
	s.marks = s.marks[:last+1]
	s.sorted = false
}
