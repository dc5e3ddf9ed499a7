package lanes

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// How many marks all lanes of a picture have together, and how many one has at most.
const (
	allMarks  = 24_000
	ManyMarks = 400
)

// Room is how many marks each of so many lanes has, few at least.
func Room(lanes, few int) int {
	return min(max(few, allMarks/max(1, lanes)), ManyMarks)
}

// Lane holds the marks of one lane, at most about as many as it is told: beyond that, marks
// of one kind that stand close are joined. The zero value has none.
type Lane struct {
	Marks  []Mark // in the order in which they came, or were joined
	sorted bool
	grain  time.Duration // marks of one kind that began no farther apart were joined
}

// Add keeps a mark, and joins others if there are too many.
func (l *Lane) Add(m Mark, limit int) {
	n := len(l.Marks)
	l.sorted = n == 0 || l.sorted && InTime(l.Marks[n-1], m) <= 0
	l.Marks = append(l.Marks, m)
	if len(l.Marks) <= limit {
		return
	}
	l.join() // those that have come since
	for len(l.Marks) > limit*3/4 && l.grain < math.MaxInt64 {
		l.grain = max(time.Millisecond, l.grain+min(l.grain, math.MaxInt64-l.grain))
		l.join()
	}
}

// Joined reports whether some marks stand for several.
func (l *Lane) Joined() bool { return l.grain > 0 }

// InOrder gives the marks as they began. The caller changes none of them.
func (l *Lane) InOrder() []Mark {
	if !l.sorted {
		slices.SortFunc(l.Marks, InTime)
		l.sorted = true
	}
	return l.Marks
}

// join makes one mark of those of one kind that began within a grain of each other. So
// there are no more of a kind than there are grains in the session, and what goes on
// evenly stays as even.
func (l *Lane) join() {
	slices.SortFunc(l.Marks, func(a, b Mark) int { return cmp.Or(alike(&a, &b), InTime(a, b)) })
	last := 0
	for _, m := range l.Marks[1:] {
		before := &l.Marks[last]
		if alike(&m, before) != 0 || m.From.Sub(before.From) > l.grain {
			last++
			l.Marks[last] = m
			continue
		}
		before.More += 1 + m.More
		before.Took += m.Took
		if m.To.After(before.To) {
			before.To = m.To
		}
	}
	clear(l.Marks[last+1:]) // their texts are free
	l.Marks = l.Marks[:last+1]
	l.sorted = false
}
