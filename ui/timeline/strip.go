package timeline

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pawl/lifecycle"
)

// Mark is something that a lane of the timeline shows: a stretch of time, or a
// moment.
type Mark struct {
	Kind     lifecycle.SpanKind
	Seq      lifecycle.Seq   // of the record that began it: its name
	From, To time.Time       // of a moment both are the same
	Under    bool            // it is under way: to is now
	faulty   bool            // a tool that ended with an error
	state    lifecycle.State // of an end
	cause    lifecycle.Cause
	Label    string // what it is, raw and bounded
	Step     int
	Of       lifecycle.RunID // the run that it was told of
	More     int             // marks that were joined to it
	took     time.Duration   // of all of them together
}

// How many marks all lanes have together, and how many one has at least and at most:
// beyond that, marks of one kind that stand close are joined. A screen has some 200
// columns to show them in; a zoom shows the others.
const (
	allMarks  = 24_000
	fewMarks  = 64
	ManyMarks = 400
)

// Strip holds the marks of one lane, at most about as many as it is told.
type Strip struct {
	Marks  []Mark
	sorted bool
	grain  time.Duration // marks of one kind that began no farther apart were joined
}

// add keeps a mark, and makes room where there is none left.
func (s *Strip) add(m Mark, limit int) {
	n := len(s.Marks)
	s.sorted = n == 0 || s.sorted && inTime(s.Marks[n-1], m) <= 0
	s.Marks = append(s.Marks, m)
	if len(s.Marks) <= limit {
		return
	}
	s.join() // those that have come since
	for len(s.Marks) > limit*3/4 && s.grain < math.MaxInt64 {
		s.grain = max(time.Millisecond, s.grain+min(s.grain, math.MaxInt64-s.grain))
		s.join()
	}
}

// inOrder gives the marks as they began. The caller changes none of them.
func (s *Strip) inOrder() []Mark {
	if !s.sorted {
		slices.SortFunc(s.Marks, inTime)
		s.sorted = true
	}
	return s.Marks
}

func inTime(a, b Mark) int {
	return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.Seq, b.Seq))
}

// join makes one mark of those of one kind that began within a grain of each other. So
// there are no more of a kind than there are grains in the session, and what goes on
// evenly stays as even.
func (s *Strip) join() {
	slices.SortFunc(s.Marks, func(a, b Mark) int { return cmp.Or(rankOf(&a)-rankOf(&b), inTime(a, b)) })
	last := 0
	for _, m := range s.Marks[1:] {
		before := &s.Marks[last]
		if rankOf(&m) != rankOf(before) || m.Kind != before.Kind || m.From.Sub(before.From) > s.grain {
			last++
			s.Marks[last] = m
			continue
		}
		before.More += 1 + m.More
		before.took += m.took
		if m.To.After(before.To) {
			before.To = m.To
		}
	}
	clear(s.Marks[last+1:]) // their texts are free
	s.Marks = s.Marks[:last+1]
	s.sorted = false
}
