package timeline

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pawl/lifecycle"
)

// Mark is something shown on a lane: a stretch of time or a moment.
type Mark struct {
	Kind     lifecycle.SpanKind
	Seq      lifecycle.Seq   // the record that began it, which identifies it
	From, To time.Time       // equal for a moment
	Under    bool            // in progress: To is now
	faulty   bool            // a tool that ended with an error
	state    lifecycle.State // for an end
	cause    lifecycle.Cause
	Label    string // what it is, raw and cut
	Step     int
	Of       lifecycle.RunID // the run whose end it was told of
	More     int             // how many marks were joined to it
	took     time.Duration   // time of all of them
}

// How many marks all lanes keep together, and one lane at least and at most: beyond that, near
// marks of one kind are joined. A screen has some 200 columns to show them in; zooming shows the
// others.
const (
	allMarks  = 24_000
	fewMarks  = 64
	ManyMarks = 400
)

// Strip holds the marks of one lane, up to about the limit it is given.
type Strip struct {
	Marks  []Mark
	sorted bool
	grain  time.Duration // marks of one kind that began no farther apart are joined
}

// add adds a mark, and makes room if there are too many.
func (s *Strip) add(m Mark, limit int) {
	n := len(s.Marks)
	s.sorted = n == 0 || s.sorted && inTime(s.Marks[n-1], m) <= 0
	s.Marks = append(s.Marks, m)
	if len(s.Marks) <= limit {
		return
	}
	s.join() // the new ones
	for len(s.Marks) > limit*3/4 && s.grain < math.MaxInt64 {
		s.grain = max(time.Millisecond, s.grain+min(s.grain, math.MaxInt64-s.grain))
		s.join()
	}
}

// inOrder returns the marks in order of beginning. The caller must not change them.
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

// join joins marks of one kind that began within a grain of each other. So there are at most as
// many of a kind as grains in the session, and steady activity stays evenly spaced.
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
	clear(s.Marks[last+1:]) // frees their texts
	s.Marks = s.Marks[:last+1]
	s.sorted = false
}
