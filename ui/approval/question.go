package approval

import (
	"slices"

	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Front is the question in front: which one of those that wait, which of its answers
// has the mark, and how far its body is scrolled.
type Front struct {
	Question lifecycle.QuestionID
	Nth      int  // its place among those that wait
	mark     int  // the answer with the mark, 1 for the first; 0: it was not moved
	Choosing bool // Enter takes the mark, whatever stands in the line
	Body     draw.Body
	// Answered is the question whose answer is on its way: no further key is for it.
	Answered lifecycle.QuestionID
}

// Follow finds the question among those that wait. Where it is gone, answered or with
// its run, the next one takes its place; it reports whether that is so.
func (f *Front) Follow(waiting []lifecycle.Question) (gone bool) {
	nth := slices.IndexFunc(waiting, func(q lifecycle.Question) bool { return q.ID == f.Question })
	if nth >= 0 {
		f.Nth = nth
		return false
	}
	if nth = f.Nth; nth >= len(waiting) {
		nth = 0
	}
	*f = Front{}
	if len(waiting) > 0 {
		*f = Front{Question: waiting[nth].ID, Nth: nth}
	}
	return true
}

// Walk puts another question that waits in front, and answers none.
func (f *Front) Walk(waiting []lifecycle.Question, by int) {
	nth := ((f.Nth+by)%len(waiting) + len(waiting)) % len(waiting)
	*f = Front{Question: waiting[nth].ID, Nth: nth, Answered: f.Answered}
}

// Of puts a question of a session in front, if one waits and none of it is there yet. It
// reports whether one is.
func (f *Front) Of(waiting []lifecycle.Question, session lifecycle.SessionID) bool {
	if f.Nth < len(waiting) && waiting[f.Nth].Session == session && waiting[f.Nth].ID == f.Question {
		return true
	}
	nth := slices.IndexFunc(waiting, func(q lifecycle.Question) bool { return q.Session == session })
	if nth >= 0 {
		*f = Front{Question: waiting[nth].ID, Nth: nth, Answered: f.Answered}
	}
	return nth >= 0
}

// Move moves the mark, around the ends. Enter is the question's from then on.
func (f *Front) Move(q lifecycle.Question, by int) {
	all := Answers(q)
	f.mark = (f.marked(all)+by+len(all))%len(all) + 1
	f.Choosing = true
}

// Marked is the answer with the mark.
func (f *Front) Marked(q lifecycle.Question) Answer {
	all := Answers(q)
	return all[f.marked(all)]
}

// marked is the place of the answer with the mark: no, until it was moved.
func (f *Front) marked(all []Answer) int {
	if f.mark > 0 && f.mark <= len(all) {
		return f.mark - 1
	}
	return max(0, slices.IndexFunc(all, func(a Answer) bool { return a.Key == No }))
}
